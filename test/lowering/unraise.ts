/** The way that a model goes: how a value that the declared schema means is said in the lowered schema. */
import { canonicalJson } from '../../packages/toolwright/src/internal/canonical-json.ts'
import { isObject, type JsonObject } from '../../packages/toolwright/src/schema/json-object.ts'
import type { LazyPlan, Plan } from '../../packages/toolwright/src/schema/lowering/raise-plan.ts'

/** Whether a value fits a part of the lowered schema. */
export type Fits = (schema: JsonObject, value: unknown) => boolean

/** Everything that may mean the value, likeliest first. */
export function unraised(plan: LazyPlan | undefined, value: unknown, fits: Fits): unknown[] {
  if (plan === undefined) return [value]
  switch (plan.kind) {
    case 'reference':
      return unraised(plan.definition.plan, value, fits)
    case 'union':
      return plan.alternatives.flatMap((each) =>
        unraised(each.plan, value, fits).filter((said) => fits(each.schema, said)),
      )
    case 'choice':
      return []
    case 'wrapped':
      return unraised(plan.plan, value, fits).map((said) => ({ [plan.name]: said }))
    case 'text':
      return [saidAsText(plan, value)]
    case 'list':
      return Array.isArray(value) ? [value.map((each) => first(plan.item, each, fits))] : [value]
    case 'entries':
      return isObject(value) ? [entries(plan.value, Object.entries(value), fits)] : [value]
    case 'tuple':
      return Array.isArray(value) ? [tuple(plan, value, fits)] : [value]
    case 'object':
      return isObject(value) ? [object(plan, value, fits)] : [value]
  }
}

function saidAsText({ constants }: Extract<Plan, { kind: 'text' }>, value: unknown): unknown {
  const json = JSON.stringify(value)
  return constants?.has(json) === false ? value : json
}

function first(plan: LazyPlan | undefined, value: unknown, fits: Fits): unknown {
  return unraised(plan, value, fits)[0]
}

function entries(
  plan: LazyPlan | undefined,
  members: readonly [string, unknown][],
  fits: Fits,
): unknown {
  return members.map(([key, value]) => ({ key, value: first(plan, value, fits) }))
}

function tuple(
  { items, more }: Extract<Plan, { kind: 'tuple' }>,
  value: readonly unknown[],
  fits: Fits,
): unknown {
  const members = items.map(({ name, plan }, at): [string, unknown] => [
    name,
    at < value.length ? first(plan, value[at], fits) : null,
  ])
  const rest = value.slice(items.length).map((each) => first(more?.item, each, fits))
  if (more) members.push([more.name, rest])
  return Object.fromEntries(members)
}

function object(plan: Extract<Plan, { kind: 'object' }>, value: JsonObject, fits: Fits): unknown {
  const own = Object.entries(value)
  const named = own
    .filter(([key]) => plan.members.has(key) && key !== plan.rest?.name)
    .map(([key, each]): [string, unknown] => [key, first(plan.members.get(key), each, fits)])
  const missing = [...plan.members.keys()]
    .filter((key) => !Object.hasOwn(value, key) && key !== plan.rest?.name && plan.absent.has(key))
    .map((key): [string, unknown] => [key, null])
  const others = own.filter(([key]) => !plan.members.has(key) || key === plan.rest?.name)
  const rest: [string, unknown][] = plan.rest
    ? [[plan.rest.name, entries(plan.rest.entries.value, others, fits)]]
    : others
  return Object.fromEntries([...named, ...missing, ...rest])
}

export const isSame = (one: unknown, other: unknown): boolean =>
  canonicalJson(one) === canonicalJson(other)
