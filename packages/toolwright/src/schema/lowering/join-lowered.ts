/** Several lowered schemas as alternatives of one. */
import type { JsonObject } from '../json-object.ts'
import type { Lowered, LoweringContext } from './lowering-context.ts'
import type { Alternative, LazyPlan } from './raise-plan.ts'

/** Undefined, if no value fits any. */
export function joinLowered(lowered: readonly Lowered[], context: LoweringContext): Lowered {
  const possible: Alternative<LazyPlan>[] = lowered.flatMap(({ schema, plan }) =>
    schema === undefined ? [] : [{ schema, plan }],
  )
  if (possible.length < 2) return possible[0] ?? { schema: undefined }
  return {
    schema: { anyOf: possible.map(({ schema }) => schema) },
    plan: hasPlans(possible.map(({ plan }) => plan))
      ? { kind: 'union', alternatives: possible, follow: context.follow, found: new Map() }
      : undefined,
  }
}

export function hasPlans(plans: Iterable<LazyPlan | undefined>): boolean {
  return [...plans].some((plan) => plan !== undefined)
}

/** A lowered schema that takes null too. */
export function orNull(schema: JsonObject): JsonObject {
  const { anyOf, ...beside } = schema
  const isBareUnion =
    Array.isArray(anyOf) && Object.keys(beside).every((key) => key === 'description')
  const alternatives: readonly unknown[] = isBareUnion ? anyOf : [schema]
  return { ...(isBareUnion && beside), anyOf: [...alternatives, { type: 'null' }] }
}
