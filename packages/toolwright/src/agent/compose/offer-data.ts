/**
 * Lets a schema offer what the instructions offer about data. A model that is held to a schema can write
 * only what the schema names, so each call gets `_outputPath` and `_outputMethod`, and each parameter takes
 * a `†` reference. Tools that are closed by their author get the two fields in any case.
 */
import { isObject } from '../../schema/json-object.ts'
import type { JsonSchema, JsonSchemaNode } from '../../schema/json-schema.ts'
import { typesNamedBy } from '../../schema/json-type.ts'
import { OUTPUT_METHODS } from '../context/output-methods.ts'
import { isParameter } from '../registry/tool-spec.ts'
import type { Composed, ComposedTool } from './composed.ts'
import { strictSchema } from './strict-schema.ts'

export interface DataOffer {
  /** Whether the model can write only what the schema names. */
  readonly isHeld: boolean
  readonly strict: boolean
}

const offers = new WeakMap<Composed, Map<string, Composed>>()

/** The composition as the model sees it where the context holds data. Its tools stay those that run. */
export function offerData(composed: Composed, { isHeld, strict }: DataOffer): Composed {
  let byOffer = offers.get(composed)
  if (!byOffer) offers.set(composed, (byOffer = new Map<string, Composed>()))
  const key = `${isHeld} ${strict}`
  let offered = byOffer.get(key)
  if (!offered) byOffer.set(key, (offered = offeredAnew(composed, { isHeld, strict })))
  return offered
}

function offeredAnew(composed: Composed, { isHeld, strict }: DataOffer): Composed {
  const tools = Array.from(composed.tools.values(), (tool): ComposedTool => {
    const item = withDataFields(tool.item, isHeld)
    return item === tool.item ? tool : { ...tool, item }
  })
  if (tools.every((tool) => tool === composed.tools.get(tool.spec.name))) return composed
  const items = tools.length > 1 ? { anyOf: tools.map(({ item }) => item) } : tools[0]!.item
  const { properties } = composed.schema
  const calls = { ...(properties!.calls as JsonSchema), items }
  const schema: JsonSchema = { ...composed.schema, properties: { ...properties, calls } }
  return {
    ...composed,
    schema,
    sent: strict ? strictSchema(schema) : schema,
    tools: new Map(tools.map((tool) => [tool.spec.name, tool])),
  }
}

const OUTPUT_PATH: JsonSchema = {
  type: 'string',
  pattern: '^†',
  description: 'Where the result is kept, as "†kind.path"',
}
const OUTPUT_METHOD: JsonSchema = {
  type: 'string',
  enum: OUTPUT_METHODS,
  description: 'How the result joins what is already kept there; set if left out',
}

/** The schema of a reference to data. */
export const REFERENCE: JsonSchema = { type: 'string', pattern: '^†' }

function withDataFields(item: JsonSchema, isHeld: boolean): JsonSchema {
  const isClosed = item.additionalProperties === false || item.unevaluatedProperties === false
  if (!isHeld && !isClosed) return item
  const fields = Object.entries(item.properties ?? {}).map(([field, node]) => [
    field,
    isHeld && isParameter(field) ? orReference(node) : node,
  ])
  const properties = Object.fromEntries(fields) as { [field: string]: JsonSchemaNode }
  properties._outputPath ??= OUTPUT_PATH
  properties._outputMethod ??= OUTPUT_METHOD
  return { ...item, properties }
}

const orReference = (node: JsonSchemaNode): JsonSchemaNode =>
  isObject(node) && !takesReference(node) ? { anyOf: [node, REFERENCE] } : node

/** Keywords that a reference could violate. */
const NARROWING = ['enum', 'const', 'pattern', 'format', 'minLength', 'maxLength', '$ref', 'allOf', 'oneOf', 'not', 'if'] // prettier-ignore

function takesReference(node: JsonSchemaNode): boolean {
  if (!isObject(node)) return node === true
  if (node.pattern === REFERENCE.pattern) return true
  if (NARROWING.some((keyword) => node[keyword] !== undefined)) return false
  if (Array.isArray(node.anyOf))
    return (node.anyOf as readonly JsonSchemaNode[]).some(takesReference)
  return typesNamedBy(node)?.includes('string') ?? true
}
