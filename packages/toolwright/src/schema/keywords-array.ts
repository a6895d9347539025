/** What a schema says about the items of an array. */
import { canonicalText } from './canonical-text.ts'
import type { Coerce, SchemaNode } from './check-run.ts'
import { atLeast, atMost } from './keywords-value.ts'
import type { Compiler, Keyword } from './keyword.ts'
import type { SchemaObject } from './subschemas.ts'

function size(
  keyword: string,
  expected: string,
  fits: (value: number, limit: number) => boolean,
): Keyword {
  return (schema) => {
    const limit = schema[keyword]
    if (typeof limit !== 'number') return undefined
    return (value, run) =>
      !Array.isArray(value) ||
      fits(value.length, limit) ||
      run.fail(`${expected} ${limit} ${limit === 1 ? 'item' : 'items'}`, value)
  }
}

const uniqueItems: Keyword = (schema) => {
  if (schema.uniqueItems !== true) return undefined
  return (value, run) =>
    !Array.isArray(value) ||
    new Set(value.map((item) => canonicalText(item))).size === value.length ||
    run.fail('items that all differ', value)
}

/** The schema that holds for the item at an index; a list under `items` is the older prefixItems. */
function itemsOf(
  schema: SchemaObject,
  compiler: Compiler,
): ((index: number) => SchemaNode | undefined) | undefined {
  const older = Array.isArray(schema.items)
  const list: unknown = schema.prefixItems ?? (older ? schema.items : undefined)
  const prefix = Array.isArray(list) ? list.map((item) => compiler.node(item)) : []
  const rest = older ? schema.additionalItems : schema.items
  const others = rest === undefined ? undefined : compiler.node(rest)
  if (prefix.length === 0 && !others) return undefined
  return (index) => prefix[index] ?? others
}

const items: Keyword = (schema, compiler) => {
  const nodeAt = itemsOf(schema, compiler)
  if (!nodeAt) return undefined
  return (value, run) => {
    if (!Array.isArray(value)) return true
    let ok = true
    for (let index = 0; index < value.length; index++) {
      const node = nodeAt(index)
      if (!node) break
      run.evaluated?.add(index)
      if (run.descend(node, index, value[index])) continue
      if (run.silent) return false
      ok = false
    }
    return ok
  }
}

const contains: Keyword = (schema, compiler) => {
  if (schema.contains === undefined) return undefined
  const node = compiler.node(schema.contains)
  const limits = compiler.index.resourceOf(schema).validates ? schema : {}
  const least = typeof limits.minContains === 'number' ? limits.minContains : 1
  const most = typeof limits.maxContains === 'number' ? limits.maxContains : Infinity
  return (value, run) => {
    if (!Array.isArray(value)) return true
    const { silent } = run
    run.silent = true
    const found = value.flatMap((item, index) => (run.descend(node, index, item) ? [index] : []))
    run.silent = silent
    for (const index of found) run.evaluated?.add(index)
    if (found.length < least) return run.fail(`at least ${least} fitting items`, value)
    return found.length <= most || run.fail(`at most ${most} fitting items`, value)
  }
}

export const unevaluatedItems: Keyword = ({ unevaluatedItems: schema }, compiler) => {
  if (schema === undefined) return undefined
  const node = compiler.node(schema)
  return (value, run) => {
    if (!Array.isArray(value)) return true
    let ok = true
    for (const [index, item] of value.entries()) {
      if (run.evaluated?.has(index)) continue
      run.evaluated?.add(index)
      if (!run.descend(node, index, item)) ok = false
    }
    return ok
  }
}

export function coercionOfItems(schema: SchemaObject, compiler: Compiler): Coerce | undefined {
  const nodeAt = itemsOf(schema, compiler)
  return (
    nodeAt &&
    ((value, run) => {
      if (!Array.isArray(value)) return value
      const coerced = value.map((item: unknown, index) => {
        const node = nodeAt(index)
        return node ? node.coerce(item, run) : item
      })
      return coerced.some((item, index) => item !== value[index]) ? coerced : value
    })
  )
}

export const ARRAY_LIMITS: readonly Keyword[] = [
  size('minItems', 'at least', atLeast),
  size('maxItems', 'at most', atMost),
  uniqueItems,
]
export const ARRAY_APPLICATORS: readonly Keyword[] = [items, contains]
