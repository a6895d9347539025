/** The contract between the compiler and the vocabularies. */
import type { Check, SchemaNode, SchemaResource } from './check-run.ts'
import type { SchemaIndex } from './schema-index.ts'
import type { SchemaObject } from './subschemas.ts'

export interface Compiler {
  readonly index: SchemaIndex
  /** The keywords that count in a resource. */
  keywords(resource: SchemaResource): readonly Keyword[]
  /** The node of a schema; the same one each time. */
  node(schema: unknown): SchemaNode
}

/** Gives the check for one keyword, or nothing when the schema does not have it. */
export type Keyword = (schema: SchemaObject, compiler: Compiler) => Check | undefined
