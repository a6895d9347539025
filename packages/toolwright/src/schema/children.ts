/**
 * Members and items alike: which schemas hold for each child of a value, checked and coerced. Only own
 * keys count, whatever they are called.
 */
import type { Check, CheckRun, Coerce, SchemaNode } from './check-run.ts'
import type { PathKey } from './describe-value.ts'
import type { Keyword } from './keyword.ts'

/** Objects or arrays: the values that have the children a keyword speaks about. */
export type Parents = (value: unknown) => value is object

/** The schemas that hold for one child. */
export type NodesFor = (key: PathKey, run: CheckRun) => readonly SchemaNode[]

const NONE: readonly SchemaNode[] = []

/** An own key with `undefined` is absent: it would not survive JSON. */
export function keysOf(value: object): readonly PathKey[] {
  if (Array.isArray(value)) return [...value.keys()]
  return Object.keys(value).filter((key) => child(value, key) !== undefined)
}

const child = (value: object, key: PathKey): unknown => (value as Record<PathKey, unknown>)[key]

export function checkChildren(isParent: Parents, nodesFor: NodesFor): Check {
  return (value, run) => {
    if (!isParent(value)) return true
    let ok = true
    for (const key of keysOf(value)) {
      for (const node of nodesFor(key, run)) {
        run.evaluated?.add(key)
        if (run.descend(node, key, child(value, key))) continue
        if (run.silent) return false
        ok = false
      }
    }
    return ok
  }
}

/** The value itself, or a copy when a child changed. */
export function coerceChildren(isParent: Parents, nodesFor: NodesFor): Coerce {
  return (value, run) => {
    if (!isParent(value)) return value
    let copy: object | undefined
    for (const key of keysOf(value)) {
      let coerced = child(value, key)
      for (const node of nodesFor(key, run)) coerced = node.coerce(coerced, run)
      if (coerced === child(value, key)) continue
      copy ??= Array.isArray(value) ? [...value] : { ...value }
      setOwn(copy, key, coerced)
    }
    return copy ?? value
  }
}

/** Plain assignment to `__proto__` could set the prototype. */
function setOwn(target: object, key: PathKey, value: unknown): void {
  const attributes = { writable: true, enumerable: true, configurable: true }
  Object.defineProperty(target, key, { value, ...attributes })
}

/** What no other keyword has looked at. */
export function unevaluated(keyword: string, isParent: Parents): Keyword {
  return ({ [keyword]: schema }, compiler) => {
    if (schema === undefined) return undefined
    const nodes = [compiler.node(schema)]
    return checkChildren(isParent, (key, run) => (run.evaluated?.has(key) ? NONE : nodes))
  }
}
