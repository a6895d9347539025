/** `anyOf` and `oneOf`: always `anyOf` for a provider, which asks the same where the alternatives exclude each other. */
import { isObject, type JsonObject } from '../json-object.ts'
import { areDisjoint } from './disjoint-schemas.ts'
import { hasPlans } from './lower-object.ts'
import type { Lowered, LoweringContext } from './lowering-context.ts'
import type { Alternative, LazyPlan } from './raise-plan.ts'
import type { Union } from './schema-facts.ts'
import type { Part } from './schema-parts.ts'

export interface LoweredUnion extends Lowered {
  readonly notes: readonly string[]
}

/** Beyond, nobody looks whether each excludes each. */
const MOST_COMPARED = 40

/** @param beside what else is asked of a value, which each alternative then asks too */
export function lowerUnion(
  { keyword, alternatives, owner }: Union,
  beside: readonly Part[],
  { context, depth }: { readonly context: LoweringContext; readonly depth: number },
): LoweredUnion {
  const notes: string[] = []
  if (keyword === 'oneOf') {
    const isExact = exclude(alternatives, context)
    context.report({
      path: owner.path,
      keyword,
      how: isExact ? 'rewritten' : 'kept in the description',
    })
    if (!isExact) notes.push('exactly one of the alternatives')
  }
  const lowered = alternatives.map((alternative) =>
    context.lower([alternative, ...beside], depth + 1),
  )
  return { ...joined(lowered, context), notes }
}

/** One schema for several; undefined if no value fits any. */
export function joined(lowered: readonly Lowered[], context: LoweringContext): Lowered {
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

function exclude(alternatives: readonly Part[], { parts }: LoweringContext): boolean {
  if (alternatives.length > MOST_COMPARED) return false
  const follow = (schema: JsonObject): JsonObject => {
    const { $ref } = schema
    const target = typeof $ref === 'string' ? parts.targetOf(schema, $ref)?.schema : undefined
    return isObject(target) ? target : schema
  }
  return alternatives.every(({ schema }, at) =>
    alternatives.slice(at + 1).every((other) => areDisjoint(schema, other.schema, follow)),
  )
}
