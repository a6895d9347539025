/** `enum` and `const`. What a provider cannot list is listed by its JSON text, or put into words. */
import type { JsonObject } from '../json-object.ts'
import { isOfType } from '../json-type.ts'
import type { Change, Lowered, LoweringContext } from './lowering-context.ts'
import type { SchemaFacts } from './schema-facts.ts'

/**
 * @param constants those that fit everything else that the schema asks
 * @returns undefined if the provider can neither list them nor their texts
 */
export function lowerConstants(
  facts: SchemaFacts,
  constants: readonly unknown[],
  context: LoweringContext,
): Lowered | undefined {
  const { rules } = context
  const plain = constants.filter(rules.isConstant)
  const others = constants.filter((constant) => !rules.isConstant(constant))
  if (others.length === 0) return { schema: listed(facts, plain, context) }
  if (rules.isStrict) return inTexts(facts, { plain, others }, context)
  if (others.some((constant) => constant !== null)) return undefined
  for (const place of constantsAt(facts)) context.report({ ...place, how: 'rewritten' })
  const nothing = { type: 'null' }
  return {
    schema: plain.length > 0 ? { anyOf: [listed(facts, plain, context), nothing] } : nothing,
  }
}

function listed(
  facts: SchemaFacts,
  constants: readonly unknown[],
  context: LoweringContext,
): JsonObject {
  const owner = facts.parts.find(({ schema }) => schema.const !== undefined)
  const types = typesOf(constants, facts.types)
  const type = types.length === 1 ? types[0] : types
  if (owner && constants.length === 1 && context.rules.hasConst)
    return { type, const: constants[0] }
  if (owner) context.report({ path: owner.path, keyword: 'const', how: 'rewritten' })
  return { type, enum: constants }
}

interface Constants {
  readonly plain: readonly unknown[]
  /** Those that the provider cannot list. */
  readonly others: readonly unknown[]
}

/** Lists and objects become their texts, and are parsed again. */
function inTexts(
  facts: SchemaFacts,
  { plain, others }: Constants,
  context: LoweringContext,
): Lowered {
  const texts = others.map((constant) => JSON.stringify(constant))
  const isUnclear = texts.some((text) => plain.includes(text))
  for (const place of constantsAt(facts))
    context.report({ ...place, how: isUnclear ? 'dropped' : 'rewritten', isPoor: isUnclear })
  const types = [...new Set([...typesOf(plain, facts.types), 'string'])]
  return {
    schema: {
      type: types.length === 1 ? types[0] : types,
      enum: [...new Set([...plain, ...texts])],
    },
    plan: { kind: 'text', constants: new Set(texts.filter((text) => !plain.includes(text))) },
  }
}

/** Where the constants stand. */
export function constantsAt({ parts }: SchemaFacts): readonly Pick<Change, 'path' | 'keyword'>[] {
  return parts.flatMap(({ schema, path }) =>
    ['const', 'enum']
      .filter((keyword) => schema[keyword] !== undefined)
      .map((keyword) => ({ path, keyword })),
  )
}

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

/** The types of values: the declared ones where there are any. */
export function typesOf(
  constants: readonly unknown[],
  declared: readonly string[] = TYPES.filter((type) => type !== 'integer'),
): readonly string[] {
  return declared.filter((type) => constants.some((constant) => isOfType(constant, [type])))
}
