/** The contract between the walk and the keywords. */
import type { PathKey } from './describe-value.ts'
import type { JsonObject } from './json-object.ts'
import type { SchemaIndex } from './schema-index.ts'

/** `check` only wants the verdict, `explain` the issues too, `coerce` the repaired value and nothing else. */
export type Mode = 'check' | 'explain' | 'coerce'

/** An issue, not yet in words: most are found in alternatives that nobody hears about. */
export interface Finding {
  readonly path: readonly PathKey[]
  readonly expected: () => string
  readonly value: unknown
}

/** One schema held against one value, and what was found so far. */
export interface Visit {
  readonly schema: JsonObject
  /** The value given; when coercing, what has become of it. */
  value: unknown
  /** The copy that coerced children are written to. */
  copy: object | undefined
  fits: boolean
  readonly issues: Finding[]
  /** How far from fitting: of a union's alternatives, the least costly was meant. */
  cost: number
  /** Keys and indexes that some keyword has looked at; absent when nobody asks. */
  readonly evaluated: Set<PathKey> | undefined
}

export interface Walk {
  readonly index: SchemaIndex
  readonly mode: Mode
  /** Whether `format` is asserted. */
  readonly formats: boolean
  /** The schemas on the way here, outermost first. */
  readonly scope: readonly unknown[]
  /** Where the value at hand stands. */
  readonly path: readonly PathKey[]
  /** The value that is just being tried as a list of one. */
  wrapped: unknown
  visit(schema: unknown, value: unknown): Visit
  /** A visit of which only the verdict counts. */
  test(schema: unknown, value: unknown): Visit
  /** Takes over what was found about the same value. */
  adopt(visit: Visit, found: Visit): void
  /** Another schema holds for the same value. */
  apply(visit: Visit, schema: unknown): void
  /** The same, through a reference. */
  refer(visit: Visit, schema: unknown): void
  /** A schema holds for a member or an item. */
  child(visit: Visit, key: PathKey, schema: unknown): void
  /** A schema holds for the name of a member. */
  name(visit: Visit, key: PathKey, schema: unknown): void
  /** A schema author's pattern. */
  pattern(source: string): RegExp
  /** Notes an issue with the value, or with its member that is missing. */
  fail(visit: Visit, expected: () => string, ...missing: string[]): void
}

/** Holds one keyword, whose value is `operand`, against `visit.value`. */
export type Keyword = (visit: Visit, operand: unknown, walk: Walk) => void
export type Keywords = { readonly [name: string]: Keyword }
