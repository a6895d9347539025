/** `anyOf` and `oneOf`: always `anyOf` for a provider, which asks the same where the alternatives exclude each other. */
import { isObject, type JsonObject } from '../json-object.ts'
import { areDisjoint } from './disjoint-schemas.ts'
import { joinLowered } from './join-lowered.ts'
import type { LoweredWithNotes, LoweringContext } from './lowering-context.ts'
import type { Union } from './schema-facts.ts'
import type { Part } from './schema-parts.ts'

/** Beyond, nobody looks whether each excludes each. */
const MOST_COMPARED = 40

/** @param beside what else is asked of a value, which each alternative then asks too */
export function lowerUnion(
  { keyword, alternatives, owner }: Union,
  beside: readonly Part[],
  { context, depth }: { readonly context: LoweringContext; readonly depth: number },
): LoweredWithNotes {
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
  return { ...joinLowered(lowered, context), notes }
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
