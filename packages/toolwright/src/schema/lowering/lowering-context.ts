/** What the parts of the engine share while one schema is lowered. Contracts only: nothing here runs. */
import type { JsonObject } from '../json-object.ts'
import type { LazyPlan } from './raise-plan.ts'
import type { SchemaChange } from './schema-change.ts'
import type { Part, SchemaParts, SchemaPath } from './schema-parts.ts'
import type { SubsetRules } from './schema-rules.ts'

export interface Lowered {
  /** Undefined: no value fits. */
  readonly schema: JsonObject | undefined
  readonly plan?: LazyPlan | undefined
}

/** What is lowered, and what is left to be put into words. */
export interface LoweredWithNotes extends Lowered {
  readonly notes: readonly string[]
}

export interface Change {
  readonly path: SchemaPath
  readonly keyword: string
  readonly how: SchemaChange['how']
  /**
   * Values that the declared schema takes cannot be said any more, or only as JSON inside a text: nobody should
   * be held to such a schema who did not ask for it.
   */
  readonly isPoor?: boolean
}

export interface LoweringContext {
  readonly rules: SubsetRules
  readonly parts: SchemaParts
  report(change: Change): void
  /** Lowers what several parts ask together. */
  lower(parts: readonly Part[], depth: number): Lowered
  /** The lowered schema behind a reference that was made here. */
  follow(schema: JsonObject): JsonObject
  /** Is told of every plan of alternatives, and where they stand: some turn out to be unclear at the end. */
  joined(plan: LazyPlan | undefined, place: Pick<Change, 'path' | 'keyword'>): void
  /** Lowers something, and says whether it refers to a schema that it stands in. */
  leadingBack(lower: () => Lowered): { readonly lowered: Lowered; readonly leadsBack: boolean }
}
