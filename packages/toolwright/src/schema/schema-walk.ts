/**
 * Walks a schema and a value together, to check, explain or coerce. The keyword tables define what each
 * keyword means. Depth and work are limited: beyond the limits it throws a `RangeError`.
 */
import { coercedType } from './coerce-type.ts'
import type { PathKey } from './describe-value.ts'
import { isObject, type JsonObject } from './json-object.ts'
import type { Finding, Keyword, Mode, Visit, Walk } from './keyword.ts'
import { APPLICATORS } from './keywords-applicator.ts'
import { ASSERTIONS } from './keywords-assertion.ts'
import { patternOf } from './pattern-of.ts'
import { remembered } from './remembered.ts'
import type { SchemaIndex } from './schema-index.ts'

/** Shared by all checks with one schema; filled when a check reaches a part. */
export interface CompiledSchema {
  readonly index: SchemaIndex
  readonly formats: boolean
  /** The keywords of each schema, in the order of the tables. */
  readonly plans: Map<JsonObject, readonly [Keyword, unknown][]>
  readonly patterns: Map<string, RegExp>
}

const MOST_ISSUES = 10
/** The deepest nesting of schemas; each level of the value takes one to four. */
const DEEPEST = 500
const MOST_STEPS = 3_000_000
const NO_KEYWORDS: JsonObject = {}
// Assertions come first because they are cheap.
const ALL = { ...ASSERTIONS, ...APPLICATORS }
/** The keywords that are checked. */
export const KEYWORDS: readonly string[] = Object.keys(ALL)

export class SchemaWalk implements Walk {
  readonly index: SchemaIndex
  readonly formats: boolean
  mode: Mode
  readonly scope: unknown[] = []
  readonly path: PathKey[] = []
  wrapped: unknown
  readonly #compiled: CompiledSchema
  readonly #known = new Map<Mode, Map<unknown, Map<unknown, Visit>>>()
  #steps = 0

  constructor(compiled: CompiledSchema, mode: Mode) {
    this.#compiled = compiled
    this.index = compiled.index
    this.formats = compiled.formats
    this.mode = mode
  }

  visit(schema: unknown, value: unknown): Visit {
    const { mode } = this
    const depth = this.scope.push(schema)
    if (depth > DEEPEST || ++this.#steps > MOST_STEPS) throw new RangeError('too complex')
    const visit: Visit = {
      schema: isObject(schema) ? schema : NO_KEYWORDS,
      value,
      copy: undefined,
      fits: true,
      issues: [],
      cost: 0,
      evaluated: this.index.tracks && mode !== 'coerce' ? new Set() : undefined,
    }
    if (schema === false) this.fail(visit, nothingAt(this.path))
    if (mode === 'coerce') visit.value = coercedType(visit, this)
    for (const [keyword, operand] of this.#planOf(visit.schema)) {
      if (!visit.fits && mode === 'check') break
      keyword(visit, operand, this)
    }
    this.scope.pop()
    return visit
  }

  #planOf(schema: JsonObject): readonly [Keyword, unknown][] {
    return remembered(this.#compiled.plans, schema, () =>
      Object.entries(this.index.validates(schema) ? ALL : APPLICATORS)
        .filter(([name]) => schema[name] !== undefined)
        .map(([name, keyword]) => [keyword, schema[name]]),
    )
  }

  test(schema: unknown, value: unknown): Visit {
    const { mode } = this
    this.mode = 'check'
    const visit = this.visit(schema, value)
    this.mode = mode
    return visit
  }

  apply(visit: Visit, schema: unknown): void {
    this.adopt(visit, this.visit(schema, visit.value))
  }

  /** Recursive schemas pass here. Each object is visited once per schema, which keeps the work linear. */
  refer(visit: Visit, schema: unknown): void {
    const { value } = visit
    // The meaning of a dynamic reference depends on the path to it, so it is not cached.
    if (this.index.dynamic || typeof value !== 'object') return this.apply(visit, schema)
    const bySchema = remembered(this.#known, this.mode, () => new Map())
    const byValue = remembered(bySchema, schema, () => new Map<unknown, Visit>())
    this.adopt(
      visit,
      remembered(byValue, value, () => this.visit(schema, value)),
    )
  }

  child(visit: Visit, key: PathKey, schema: unknown): void {
    if (!visit.fits && this.mode === 'check') return
    const parent = visit.value as Record<PathKey, unknown>
    const found = this.#visitAt(key, schema, parent[key])
    note(visit, found)
    visit.evaluated?.add(key)
    if (found.value === parent[key]) return
    if (visit.copy !== parent) {
      visit.value = visit.copy = (Array.isArray(parent) ? [...parent] : { ...parent }) as object
    }
    // In the copy even __proto__ is an own key, so the assignment changes no prototype.
    ;(visit.copy as typeof parent)[key] = found.value
  }

  drop(visit: Visit, key: string): void {
    const { [key]: _dropped, ...rest } = visit.value as JsonObject
    visit.value = visit.copy = rest
  }

  name(visit: Visit, key: PathKey, schema: unknown): void {
    note(visit, this.#visitAt(key, schema, key))
  }

  #visitAt(key: PathKey, schema: unknown, value: unknown): Visit {
    this.path.push(key)
    const visit = this.visit(schema, value)
    this.path.pop()
    return visit
  }

  adopt(visit: Visit, found: Visit): void {
    note(visit, found)
    visit.value = found.value
    if (found.fits) for (const key of found.evaluated ?? []) visit.evaluated?.add(key)
  }

  pattern(source: string): RegExp {
    return remembered(this.#compiled.patterns, source, () => patternOf(source))
  }

  fail(visit: Visit, expected: () => string, ...missing: string[]): void {
    visit.fits = false
    if (this.mode !== 'explain') return
    const value = missing.length === 0 ? visit.value : undefined
    const finding: Finding = { path: [...this.path, ...missing], expected, value }
    note(visit, { fits: false, issues: [finding], cost: 1 })
  }
}

function note(visit: Visit, { fits, issues, cost }: Pick<Visit, 'fits' | 'issues' | 'cost'>): void {
  visit.fits &&= fits
  visit.cost += cost
  for (const issue of issues) if (visit.issues.length < MOST_ISSUES) visit.issues.push(issue)
}

function nothingAt(path: readonly PathKey[]): () => string {
  const isItem = typeof path.at(-1) === 'number'
  return () => (isItem ? 'no item here' : 'no property of this name')
}
