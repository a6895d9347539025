/** What a schema says about the items of an array. */
import { canonicalText } from './canonical-text.ts'
import type { Coerce } from './check-run.ts'
import { checkChildren, coerceChildren, keysOf, unevaluated, type NodesFor } from './children.ts'
import type { Compiler, Keyword } from './keyword.ts'
import { sizeLimits } from './limits.ts'
import type { SchemaObject } from './subschemas.ts'

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const uniqueItems: Keyword = (schema) => {
  if (schema.uniqueItems !== true) return undefined
  return (value, run) =>
    !isArray(value) ||
    new Set(value.map((item) => canonicalText(item))).size === value.length ||
    run.fail('items that all differ', value)
}

/** The schema that holds for the item at an index; a list under `items` is the older prefixItems. */
function itemsOf(schema: SchemaObject, compiler: Compiler): NodesFor | undefined {
  const { items, additionalItems } = schema
  const list = schema.prefixItems ?? (isArray(items) ? items : undefined)
  const rest = isArray(items) ? additionalItems : items
  if ((list ?? rest) === undefined) return undefined
  const prefix = isArray(list) ? list.map((item) => [compiler.node(item)]) : []
  const others = rest === undefined ? [] : [compiler.node(rest)]
  return (index) => prefix[index as number] ?? others
}

const items: Keyword = (schema, compiler) => {
  const nodesFor = itemsOf(schema, compiler)
  return nodesFor && checkChildren(isArray, nodesFor)
}

export function coercionOfItems(schema: SchemaObject, compiler: Compiler): Coerce | undefined {
  const nodesFor = itemsOf(schema, compiler)
  return nodesFor && coerceChildren(isArray, nodesFor)
}

const contains: Keyword = (schema, compiler) => {
  if (schema.contains === undefined) return undefined
  const node = compiler.node(schema.contains)
  const limits = compiler.index.resourceOf(schema).validates ? schema : {}
  const least = typeof limits.minContains === 'number' ? limits.minContains : 1
  const most = typeof limits.maxContains === 'number' ? limits.maxContains : Infinity
  return (value, run) => {
    if (!isArray(value)) return true
    const { silent } = run
    run.silent = true
    const found = keysOf(value).filter((index) => run.descend(node, index, value[index as number]))
    run.silent = silent
    for (const index of found) run.evaluated?.add(index)
    if (found.length < least) return run.fail(`at least ${least} fitting items`, value)
    return found.length <= most || run.fail(`at most ${most} fitting items`, value)
  }
}

export const unevaluatedItems = unevaluated('unevaluatedItems', isArray)

export const ARRAY_LIMITS: readonly Keyword[] = [
  ...sizeLimits('Items', (value) => (isArray(value) ? value.length : undefined), 'item'),
  uniqueItems,
]
export const ARRAY_APPLICATORS: readonly Keyword[] = [items, contains]
