/**
 * The state of one check: where it stands, what it found, what it has evaluated, and how much work it
 * may still do. Keywords are closures over their schema; everything that changes lives here.
 */
import { describeValue, pathText, type PathKey } from './describe-value.ts'
import type { Issue } from './issue.ts'

/** A schema, compiled. `coerce` returns the value itself where there is nothing to do. */
export interface SchemaNode {
  check(value: unknown, run: CheckRun): boolean
  coerce(value: unknown, run: CheckRun): unknown
}
export type Check = SchemaNode['check']
export type Coerce = SchemaNode['coerce']

/** A part of a schema with its own `$id`; the scope of its anchors. */
export interface SchemaResource {
  readonly uri: string
  readonly root: unknown
  readonly anchors: Map<string, unknown>
  readonly dynamicAnchors: Map<string, unknown>
  /** False when its meta-schema leaves the validation vocabulary out. */
  readonly validates: boolean
}

/** Keys and indexes some keyword has looked at; for `unevaluatedProperties` and `unevaluatedItems`. */
export type Evaluated = Set<PathKey>

/** Ends a check that would take too deep a stack or too long. */
export class TooComplex extends Error {
  readonly expected: string
  constructor(expected: string) {
    super(expected)
    this.expected = expected
  }
}

export const MOST_ISSUES = 10
/** Schemas within schemas; a level of the value takes one to four of them. */
const DEEPEST = 500
const MOST_STEPS = 5_000_000

interface Verdict {
  readonly ok: boolean
  readonly evaluated: Evaluated | undefined
  /** Absent when the check was silent. */
  readonly issues: readonly Issue[] | undefined
  readonly cost: number
}

export class CheckRun {
  readonly path: PathKey[] = []
  /** The dynamic scope, outermost first. */
  readonly scope: SchemaResource[] = []
  issues: Issue[] = []
  /** Nobody reads the issues, so the first failure ends a node. */
  silent = true
  /** How far from fitting; the least costly alternative of a union is the one that was meant. */
  cost = 0
  /** Length of the path where the innermost union stands. */
  unionDepth = -1
  evaluated: Evaluated | undefined
  /** The value that is just being tried as a list of one. */
  wrapped: unknown
  #depth = 0
  #steps = 0
  readonly #verdicts = new Map<SchemaNode, Map<object, Verdict>>()
  readonly #coerced = new Map<SchemaNode, Map<object, unknown>>()

  /** Counts one level down; every `enter` has its `leave`. */
  enter(): void {
    if (++this.#depth > DEEPEST) throw new TooComplex('a value that is nested less deeply')
    if (++this.#steps > MOST_STEPS) throw new TooComplex('a value that takes less work to check')
  }

  leave(): void {
    this.#depth--
  }

  /** Notes an issue here. `kind` weighs it when a union looks for the alternative that was meant. */
  fail(expected: string, value: unknown, kind?: 'type' | 'constant'): false {
    if (this.silent) return false
    const isOtherType = kind === 'type' && this.path.length === this.unionDepth
    const cost = isOtherType ? 100 : kind === 'constant' ? 10 : 1
    this.report([{ path: pathText(this.path), expected, received: describeValue(value) }], cost)
    return false
  }

  report(issues: readonly Issue[], cost: number): void {
    this.cost += cost
    for (const issue of issues) if (this.issues.length < MOST_ISSUES) this.issues.push(issue)
  }

  /** Whether all of them fit; after a failure it only goes on while somebody reads the issues. */
  all<Thing>(things: Iterable<Thing>, fits: (thing: Thing) => boolean): boolean {
    let ok = true
    for (const thing of things) {
      if (fits(thing)) continue
      ok = false
      if (this.silent) break
    }
    return ok
  }

  /** Checks a member or an item of the value at hand. */
  descend(node: SchemaNode, key: PathKey, value: unknown): boolean {
    const { evaluated } = this
    this.evaluated = undefined
    this.path.push(key)
    const ok = node.check(value, this)
    this.path.pop()
    this.evaluated = evaluated
    return ok
  }

  /** Checks without noting issues. */
  silently(node: SchemaNode, value: unknown): boolean {
    const { silent } = this
    this.silent = true
    const ok = node.check(value, this)
    this.silent = silent
    return ok
  }

  /** Checks one node against one object once, however many references lead there: keeps recursion linear. */
  checkOnce(node: SchemaNode, value: object): boolean {
    const known = this.#verdicts.get(node)?.get(value)
    const verdict =
      known && (known.ok || this.silent || known.issues) ? known : this.#judge(node, value)
    if (verdict !== known) remember(this.#verdicts, node).set(value, verdict)
    else if (!this.silent && verdict.issues) this.report(verdict.issues, verdict.cost)
    if (verdict.ok) this.merge(verdict.evaluated)
    return verdict.ok
  }

  #judge(node: SchemaNode, value: object): Verdict {
    const { evaluated, cost } = this
    const first = this.issues.length
    const own = (this.evaluated = evaluated && new Set())
    const ok = node.check(value, this)
    this.evaluated = evaluated
    const issues = this.silent ? undefined : this.issues.slice(first)
    return { ok, evaluated: own, issues, cost: this.cost - cost }
  }

  coerceOnce(node: SchemaNode, value: object): unknown {
    const known = remember(this.#coerced, node)
    if (known.has(value)) return known.get(value)
    const coerced = node.coerce(value, this)
    known.set(value, coerced)
    return coerced
  }

  merge(evaluated: Evaluated | undefined): void {
    if (this.evaluated && evaluated) for (const key of evaluated) this.evaluated.add(key)
  }
}

function remember<Value>(
  memory: Map<SchemaNode, Map<object, Value>>,
  node: SchemaNode,
): Map<object, Value> {
  let known = memory.get(node)
  if (!known) memory.set(node, (known = new Map()))
  return known
}
