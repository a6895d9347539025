/**
 * Lowers what is asked of one value, by the first of these that applies: the values are listed, there are alternatives,
 * there are types. Parts and references have been put together before.
 */
import { canonicalJson } from '../../internal/canonical-json.ts'
import type { JsonObject } from '../json-object.ts'
import { joinLowered } from './join-lowered.ts'
import { constantsAt, lowerConstants, typesOf } from './lower-constants.ts'
import { lowerKeywords, withWords } from './lower-keywords.ts'
import { lowerList } from './lower-list.ts'
import { lowerObject } from './lower-object.ts'
import { lowerUnion } from './lower-union.ts'
import type { LoweredWithNotes, LoweringContext } from './lowering-context.ts'
import { DESCRIBED_TEXT, nothingFits } from './unsayable.ts'
import { type SchemaFacts, TYPES_OF, type Union } from './schema-facts.ts'
import { demandsOf, type Part, type PlainPart } from './schema-parts.ts'

/** Combinations of the alternatives of several unions. */
const MOST_COMBINED = 64

export function lowerFacts(
  facts: SchemaFacts,
  context: LoweringContext,
  depth: number,
): LoweredWithNotes {
  return new FactsLowering(facts, context, depth).lower()
}

const NEVER: LoweredWithNotes = { schema: undefined, notes: [] }

class FactsLowering {
  readonly #facts: SchemaFacts
  readonly #context: LoweringContext
  readonly #depth: number

  constructor(facts: SchemaFacts, context: LoweringContext, depth: number) {
    this.#facts = facts
    this.#context = context
    this.#depth = depth
  }

  lower(): LoweredWithNotes {
    const { constants, types } = this.#facts
    if (constants) return this.#constants(constants)
    if (types?.length === 0) return NEVER
    const union = this.#unionToSpread()
    return union ? this.#spread(union) : this.#typed()
  }

  #constants(constants: readonly unknown[]): LoweredWithNotes {
    const { parts } = this.#facts
    const fitting = constants.filter((constant) => this.#context.parts.accepts(parts, constant))
    if (fitting.length === 0) return NEVER
    const lowered = lowerConstants(this.#facts, fitting, this.#context)
    // Everything else that is asked has been asked of each; only words are left.
    return lowered ? this.#withWords({ ...lowered, notes: [] }) : this.#constantsInWords(fitting)
  }

  /** The types and everything else say what they can; which values are meant is put into words. */
  #constantsInWords(constants: readonly unknown[]): LoweredWithNotes {
    for (const place of constantsAt(this.#facts))
      this.#context.report({ ...place, how: 'kept in the description' })
    const types = typesOf(constants, this.#facts.types)
    const loose = { ...this.#facts, types, constants: undefined }
    const lowered = lowerFacts(loose, this.#context, this.#depth)
    const words = `one of: ${constants.map(canonicalJson).join(', ')}`
    return { ...lowered, notes: [words, ...lowered.notes] }
  }

  /** Adds what is said about the value, where all that is asked of it has been lowered. */
  #withWords(lowered: LoweredWithNotes): LoweredWithNotes {
    const told = this.#facts.others.filter(({ keyword }) => !isDemand(keyword))
    const { sent, notes } = lowerKeywords(told, undefined, this.#context)
    return {
      ...lowered,
      schema: lowered.schema && withWords(lowered.schema, sent),
      notes: [...lowered.notes, ...notes],
    }
  }

  /** The union whose alternatives take over what else is asked: one that may have nothing beside it, or one of several. */
  #unionToSpread(): Union | undefined {
    const { unions } = this.#facts
    const [first, ...others] = unions
    if (!first || (!this.#context.rules.isStrict && others.length === 0)) return undefined
    const combined = unions.reduce((count, { alternatives }) => count * alternatives.length, 1)
    return others.length === 0 || combined <= MOST_COMBINED ? first : undefined
  }

  #spread(union: Union): LoweredWithNotes {
    const beside = this.#facts.parts.flatMap((part) => this.#besides(part, union))
    this.#reportTracking(beside)
    const lowered = lowerUnion(union, beside, { context: this.#context, depth: this.#depth })
    this.#context.joined(lowered.plan, { path: union.owner.path, keyword: union.keyword })
    return this.#withWords(lowered)
  }

  /** What a part asks besides the union, without the words that the whole keeps. */
  #besides(part: PlainPart, { keyword, owner }: Union): readonly Part[] {
    const schema = this.#demandsAlone(part, part === owner ? [keyword] : [])
    return demandsOf(schema).length === 0 ? [] : [{ schema, path: part.path }]
  }

  #demandsAlone({ schema }: PlainPart, besides: readonly string[]): JsonObject {
    const words = Object.keys(schema).filter((key) => !isDemand(key))
    return this.#context.parts.without(schema, [...words, ...besides])
  }

  /** What one alternative leaves unevaluated another may evaluate, which no single alternative can say. */
  #reportTracking(beside: readonly Part[]): void {
    if (beside.length === 0) return
    for (const { schema, path } of this.#facts.parts)
      if (schema.unevaluatedProperties !== undefined)
        this.#context.report({ path, keyword: 'unevaluatedProperties', how: 'dropped' })
  }

  #typed(): LoweredWithNotes {
    const types = this.#facts.types ?? this.#impliedTypes()
    if (this.#context.rules.isStrict) {
      if (types === undefined) return this.#any()
      if (types.length > 1 && types.some((type) => /^(?:object|array)$/.test(type)))
        return this.#oneByOne(types)
    }
    return this.#shaped(types)
  }

  /** @param types undefined: any, for a provider that takes it */
  #shaped(types: readonly string[] | undefined): LoweredWithNotes {
    const context = this.#context
    const { sent, notes } = lowerKeywords(this.#facts.others, types, context)
    const { ofLists, ofOthers } = sortedOut(sent)
    const depth = this.#depth
    const object = this.#speaksOf('object', types) && lowerObject(this.#facts, context, depth)
    const list =
      this.#speaksOf('array', types) && lowerList(this.#facts, context, { depth, sent: ofLists })
    const possible = possibleTypes(types, { object, array: list })
    if (possible?.length === 0) return NEVER
    const union = this.#unionsBeside()
    const found = [object, list].filter((each) => each !== false)
    return {
      schema: {
        ...(possible && { type: possible.length === 1 ? possible[0] : possible }),
        ...ofOthers,
        ...Object.assign({}, ...found.map(({ schema }) => schema)),
        ...union.schema,
      },
      plan: found.find(({ plan }) => plan)?.plan,
      notes: [...notes, ...found.flatMap((each) => each.notes), ...union.notes],
    }
  }

  /** Whether something is asked of values of a type. */
  #speaksOf(type: string, types: readonly string[] | undefined): boolean {
    if (types) return types.includes(type)
    const keywords = this.#facts.parts.flatMap(({ schema }) => demandsOf(schema))
    return keywords.some((keyword) => TYPES_OF[keyword]?.includes(type))
  }

  /** Unions that stay where they are: the provider takes them, or there are too many alternatives. */
  #unionsBeside(): { readonly schema: JsonObject; readonly notes: readonly string[] } {
    const { rules } = this.#context
    const [first, ...others] = this.#facts.unions
    const notes = (rules.isStrict ? this.#facts.unions : others).map(({ keyword, owner }) => {
      this.#context.report({ path: owner.path, keyword, how: 'kept in the description' })
      return `${keyword}: ${JSON.stringify(owner.schema[keyword])}`
    })
    if (rules.isStrict || !first) return { schema: {}, notes }
    const union = lowerUnion(first, [], { context: this.#context, depth: this.#depth })
    const schema = union.schema ?? nothingFits(this.#facts, this.#context)
    const isUnion = Object.keys(schema).every((key) => key === 'anyOf')
    return { schema: isUnion ? schema : { anyOf: [schema] }, notes: [...union.notes, ...notes] }
  }

  /** The types that the keywords speak of, where none is named. Values of other types could not be said. */
  #impliedTypes(): readonly string[] | undefined {
    const { parts, path } = this.#facts
    if (!this.#context.rules.isStrict) return undefined
    const keywords = parts.flatMap(({ schema }) => demandsOf(schema))
    const types = new Set(keywords.flatMap((keyword) => TYPES_OF[keyword]?.slice(0, 1) ?? []))
    if (types.size === 0) return undefined
    this.#context.report({ path, keyword: 'type', how: 'dropped' })
    return [...types]
  }

  /** Any value, for a provider that must know what comes. */
  #any(): LoweredWithNotes {
    const { others, path } = this.#facts
    const { notes } = lowerKeywords(others, undefined, this.#context)
    this.#context.report({ path, keyword: 'type', how: 'rewritten', isPoor: true })
    return { schema: { type: 'string' }, plan: { kind: 'text' }, notes: [DESCRIBED_TEXT, ...notes] }
  }

  /** Each type as an alternative: a list of types may not hold one that is written as another. */
  #oneByOne(types: readonly string[]): LoweredWithNotes {
    const { parts, path } = this.#facts
    this.#context.report({ path, keyword: 'type', how: 'rewritten' })
    const beside = parts.map((part) => ({ schema: this.#demandsAlone(part, []), path: part.path }))
    const lowered = types.map((type) =>
      this.#context.lower([...beside, { schema: ONE_TYPE[type], path }], this.#depth + 1),
    )
    const union = joinLowered(lowered, this.#context)
    this.#context.joined(union.plan, { path, keyword: 'type' })
    return this.#withWords({ ...union, notes: [] })
  }
}

function sortedOut(sent: JsonObject): {
  readonly ofLists: JsonObject
  readonly ofOthers: JsonObject
} {
  const isOfLists = ([keyword]: readonly [string, unknown]): boolean =>
    TYPES_OF[keyword]?.includes('array') ?? false
  const entries = Object.entries(sent)
  return {
    ofLists: Object.fromEntries(entries.filter(isOfLists)),
    ofOthers: Object.fromEntries(entries.filter((entry) => !isOfLists(entry))),
  }
}

/** The types without those of which no value fits; undefined if it may be any. */
function possibleTypes(
  types: readonly string[] | undefined,
  lowered: { readonly [type: string]: LoweredWithNotes | false },
): readonly string[] | undefined {
  const isPossible = (type: string): boolean => {
    const each = lowered[type]
    return !each || each.schema !== undefined
  }
  if (types === undefined && Object.keys(lowered).every(isPossible)) return undefined
  return (types ?? ALL_TYPES).filter(isPossible)
}

const ALL_TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null']

/** The same objects each time, so that what they are put together with is recognised. */
const ONE_TYPE: { readonly [type: string]: JsonObject } = {
  object: { type: 'object' },
  array: { type: 'array' },
  string: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
}

const isDemand = (keyword: string): boolean => demandsOf({ [keyword]: true }).length > 0
