/** The contract between the schema walk and the keywords. */
import type { PathKey } from './describe-value.ts'
import type { JsonObject } from './json-object.ts'
import type { SchemaIndex } from './schema-index.ts'

/** `check` finds only the verdict, `explain` also the issues, `coerce` only the repaired value. */
export type Mode = 'check' | 'explain' | 'coerce'

/** An issue that is not yet put into words, because most are found in alternatives and never reported. */
export interface Finding {
  readonly path: readonly PathKey[]
  readonly expected: () => string
  readonly value: unknown
}

/** One check of one value against one schema, with the findings so far. */
export interface Visit {
  readonly schema: JsonObject
  /** The given value or, when coercing, what it has become. */
  value: unknown
  /** The copy that receives coerced children. */
  copy: object | undefined
  fits: boolean
  readonly issues: Finding[]
  /** How far the value is from fitting. In a union, the alternative of least cost is reported. */
  cost: number
  /** The keys and indexes that keywords have evaluated; undefined if no keyword needs them. */
  readonly evaluated: Set<PathKey> | undefined
}

export interface Walk {
  readonly index: SchemaIndex
  readonly mode: Mode
  /** Whether `format` is checked. */
  readonly formats: boolean
  /** The schemas that lead here, outermost first. */
  readonly scope: readonly unknown[]
  /** The path of the current value. */
  readonly path: readonly PathKey[]
  /** The value that is currently tried as a list of one. */
  wrapped: unknown
  visit(schema: unknown, value: unknown): Visit
  /** Makes a visit that only finds the verdict. */
  test(schema: unknown, value: unknown): Visit
  /** Adds the findings of another visit of the same value. */
  adopt(visit: Visit, found: Visit): void
  /** Applies another schema to the same value. */
  apply(visit: Visit, schema: unknown): void
  /** Does the same through a reference. */
  refer(visit: Visit, schema: unknown): void
  /** Applies a schema to a member or an item. */
  child(visit: Visit, key: PathKey, schema: unknown): void
  /** Leaves a member out of the coerced value. */
  drop(visit: Visit, key: string): void
  /** Applies a schema to the name of a member. */
  name(visit: Visit, key: PathKey, schema: unknown): void
  /** Compiles a pattern of the schema. */
  pattern(source: string): RegExp
  /** Records an issue with the value, or with a missing member. */
  fail(visit: Visit, expected: () => string, ...missing: string[]): void
}

/** Checks one keyword, whose value is `operand`, against `visit.value`. */
export type Keyword = (visit: Visit, operand: unknown, walk: Walk) => void
export type Keywords = { readonly [name: string]: Keyword }
