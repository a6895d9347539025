/**
 * Lowers one declared schema to what a provider takes of JSON Schema. Follows the schema once, notes every change,
 * and makes the plan by which answers are raised. Recursive schemas become definitions; a schema without end (too
 * deep, too large once its parts are put together) is cut and the cut reported.
 */
import { canonicalJson } from '../../internal/canonical-json.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { areDisjoint } from './disjoint-schemas.ts'
import { constantsAt, lowerConstants, typesOf } from './lower-constants.ts'
import { described, lowerKeywords, withWords } from './lower-keywords.ts'
import { lowerList } from './lower-list.ts'
import { lowerObject } from './lower-object.ts'
import { joined, lowerUnion } from './lower-union.ts'
import type { Change, Lowered, LoweringContext } from './lowering-context.ts'
import { type Alternative, type LazyPlan, type Plan, planAt, type UnionPlan } from './raise-plan.ts'
import { factsOf, type SchemaFacts, TYPES_OF, type Union } from './schema-facts.ts'
import {
  demandsOf,
  type Meaning,
  type Part,
  type PlainPart,
  SchemaParts,
  type SchemaPath,
} from './schema-parts.ts'
import type { SubsetRules } from './schema-rules.ts'

const DEEPEST = 100
const MOST_NODES = 30_000
/** What is put together from the same parts again: references that ask something else too are written out. */
const MOST_REPEATED = 3000
/** Combinations of the alternatives of several unions. */
const MOST_COMBINED = 64
const DESCRIBED_TEXT = 'any JSON value, written as JSON text'

interface Definition {
  name: string | undefined
  schema: JsonObject | undefined
  plan: LazyPlan | undefined
  /** The references to it. */
  readonly references: { $ref: string }[]
}

export class Lowering implements LoweringContext {
  readonly rules: SubsetRules
  readonly parts: SchemaParts
  readonly changes: Change[] = []
  readonly #root: JsonObject
  /** By what they mean: those that are being lowered, and those that are referred to. */
  readonly #definitions = new Map<string, Definition>()
  readonly #targets = new Map<JsonObject, Definition>()
  readonly #unions: {
    readonly plan: UnionPlan
    readonly path: SchemaPath
    readonly keyword: string
  }[] = []
  #nodes = 0
  #repeated = 0
  readonly #seen = new Set<string>()
  #leadsBack = false

  constructor(root: JsonObject, rules: SubsetRules) {
    this.rules = rules
    this.parts = new SchemaParts(root)
    this.#root = root
  }

  /** The schema of the top, and the definitions it refers to. */
  lowerRoot(): Lowered & { readonly schema: JsonObject } {
    const root: Part = { schema: this.#root, path: [] }
    const meaning = this.parts.meaningOf([root])
    const { schema = this.#nothing(meaning), plan } = this.#lowerMeaning(meaning, 0)
    this.#reportUnclearUnions()
    const isObjectSchema = schema.type === 'object' && schema.anyOf === undefined
    return isObjectSchema && !isRewritten(plan)
      ? { schema: this.#withDefinitions(schema, meaning.key), plan }
      : this.#wrapped({ schema, plan })
  }

  report(change: Change): void {
    this.changes.push(change)
  }

  readonly follow = (schema: JsonObject): JsonObject => this.#targets.get(schema)?.schema ?? schema

  leadingBack(lower: () => Lowered): { readonly lowered: Lowered; readonly leadsBack: boolean } {
    const before = this.#leadsBack
    this.#leadsBack = false
    const lowered = lower()
    const leadsBack = this.#leadsBack
    this.#leadsBack = before
    return { lowered, leadsBack }
  }

  lower(parts: readonly Part[], depth: number): Lowered {
    const [only] = parts
    const isEndless = depth > DEEPEST || ++this.#nodes > MOST_NODES
    if (isEndless && only !== undefined) return this.#cut(only)
    const reference = parts.length === 1 ? this.#referenceOf(only!) : undefined
    if (reference !== undefined) return this.#referred(only!, reference, depth)
    const meaning = this.parts.meaningOf(parts)
    if (this.#isEndlesslyRepeated(meaning) && only !== undefined) return this.#cut(only)
    return this.#lowerMeaning(meaning, depth)
  }

  #isEndlesslyRepeated({ key, parts }: Meaning): boolean {
    if (parts.length < 2) return false
    const isRepeated = this.#seen.has(key)
    this.#seen.add(key)
    return isRepeated && ++this.#repeated > MOST_REPEATED
  }

  /** The target of a part that is a reference, and asks nothing else. */
  #referenceOf({ schema }: Part): Part | undefined {
    if (!isObject(schema) || this.rules.references === 'inlined') return undefined
    const { $ref } = schema
    if (typeof $ref !== 'string' || demandsOf(schema).some((key) => key !== '$ref'))
      return undefined
    return this.parts.targetOf(schema, $ref)
  }

  #referred(part: Part, target: Part, depth: number): Lowered {
    const meaning = this.parts.meaningOf([target])
    const known = this.#definitions.get(meaning.key)
    if (known === undefined && meaning.key !== '') {
      const definition = this.#open(meaning.key)
      definition.name = this.#nameOf(target)
      const { schema, plan } = this.#meant(meaning, depth + 1)
      definition.plan = plan
      if (schema === undefined) return this.#impossible(meaning, definition)
      definition.schema = schema
    }
    const lowered =
      meaning.key === ''
        ? this.#meant(meaning, depth + 1)
        : this.#refer({ ...meaning, references: [part.path] })
    return this.#withOwnWords(part.schema as JsonObject, part.path, lowered)
  }

  /** What is said beside a reference. */
  #withOwnWords(schema: JsonObject, path: SchemaPath, lowered: Lowered): Lowered {
    const facts = factsOf({ parts: [{ schema: this.parts.without(schema, ['$ref']), path }], path })
    const { sent, notes } = lowerKeywords(facts.others, undefined, this)
    const words = described(sent, [schema.description], notes)
    return { ...lowered, schema: lowered.schema && withWords(lowered.schema, words) }
  }

  #lowerMeaning(meaning: Meaning, depth: number): Lowered {
    const { key } = meaning
    if (key === '') return this.#meant(meaning, depth)
    if (this.#definitions.has(key)) return this.#refer(meaning)
    const definition = this.#open(key)
    const lowered = this.#meant(meaning, depth)
    if (lowered.schema === undefined) return this.#impossible(meaning, definition)
    if (definition.references.length === 0) {
      this.#definitions.delete(key)
      return lowered
    }
    definition.schema = lowered.schema
    definition.plan = lowered.plan
    definition.name ??= this.#nameOf(meaning)
    return depth === 0 ? lowered : this.#refer(meaning)
  }

  /** Nothing fits, which was not known yet where it was referred to. */
  #impossible(meaning: Meaning, definition: Definition): Lowered {
    if (definition.references.length === 0) this.#definitions.delete(meaning.key)
    else definition.schema = this.#nothing(meaning)
    return { schema: undefined }
  }

  /** No dialect can say that nothing fits. */
  #nothing({ parts }: Pick<Meaning, 'parts'>): JsonObject {
    for (const { schema, path } of parts)
      for (const keyword of demandsOf(schema))
        this.report({ path, keyword, how: 'kept in the description', isPoor: true })
    return { type: 'null', description: '(nothing fits here)' }
  }

  #open(key: string): Definition {
    const definition: Definition = {
      name: undefined,
      schema: undefined,
      plan: undefined,
      references: [],
    }
    this.#definitions.set(key, definition)
    return definition
  }

  /** A reference to what is known or being lowered. */
  #refer(meaning: Meaning): Lowered {
    const definition = this.#definitions.get(meaning.key)!
    if (definition.schema === undefined) {
      this.#leadsBack = true
      if (this.rules.recursion === 'none') return this.#endless(meaning)
    }
    const reference = { $ref: '' }
    definition.references.push(reference)
    this.#targets.set(reference, definition)
    return { schema: reference, plan: { kind: 'reference', definition } }
  }

  /** For a provider without recursion: what would come again is any value. */
  #endless(meaning: Meaning): Lowered {
    const { types, parts } = factsOf(meaning)
    const { path } = parts.find(({ schema }) => demandsOf(schema).length > 0) ?? meaning
    this.report({
      path: meaning.path,
      keyword: '$ref',
      how: 'kept in the description',
      isPoor: true,
    })
    if (this.rules.isStrict) return this.#anyText([`as at ${pathWords(path)}`])
    const type = types && { type: types.length === 1 ? types[0] : types }
    return { schema: { ...type, description: `The same again as at ${pathWords(path)}.` } }
  }

  #cut({ schema, path }: Part): Lowered {
    const keyword = isObject(schema) ? (demandsOf(schema)[0] ?? 'type') : 'type'
    this.report({ path, keyword, how: 'dropped', isPoor: true })
    return this.rules.isStrict ? this.#anyText([]) : { schema: {} }
  }

  #anyText(notes: readonly string[]): Lowered {
    return {
      schema: { type: 'string', description: `(${[DESCRIBED_TEXT, ...notes].join(', ')})` },
      plan: { kind: 'text' },
    }
  }

  #meant(meaning: Meaning, depth: number): Lowered {
    if (meaning.isNever) return { schema: undefined }
    for (const { schema, path } of meaning.lost)
      this.report({ path, keyword: String(schema), how: 'dropped', isPoor: true })
    const facts = factsOf(meaning)
    const descriptions = meaning.parts.map(({ schema }) => schema.description)
    const { schema, plan, notes } = this.#facts(facts, depth)
    if (schema === undefined) return { schema }
    return { schema: described(schema, descriptions, notes), plan }
  }

  #facts(facts: SchemaFacts, depth: number): Lowered & { readonly notes: readonly string[] } {
    if (facts.constants) return this.#constants(facts, facts.constants, depth)
    if (facts.types?.length === 0) return { schema: undefined, notes: [] }
    const union = this.#unionToSpread(facts)
    if (union) return this.#spread(facts, union, depth)
    return this.#typed(facts, depth)
  }

  #constants(
    facts: SchemaFacts,
    constants: readonly unknown[],
    depth: number,
  ): Lowered & { readonly notes: readonly string[] } {
    const fitting = constants.filter((constant) => this.parts.accepts(facts.parts, constant))
    if (fitting.length === 0) return { schema: undefined, notes: [] }
    const lowered = lowerConstants(facts, fitting, this)
    if (lowered === undefined) return this.#constantsInWords(facts, fitting, depth)
    // Everything that is asked has been asked of each; only words are left.
    const told = facts.others.filter(({ keyword }) => !isDemand(keyword))
    const { sent, notes } = lowerKeywords(told, undefined, this)
    return { ...lowered, schema: lowered.schema && withWords(lowered.schema, sent), notes }
  }

  /** The types and everything else say what they can; which values are meant is put into words. */
  #constantsInWords(
    facts: SchemaFacts,
    constants: readonly unknown[],
    depth: number,
  ): Lowered & { readonly notes: readonly string[] } {
    this.report({ ...constantsAt(facts), how: 'kept in the description' })
    const types = typesOf(constants, facts.types)
    const lowered = this.#facts({ ...facts, types, constants: undefined }, depth)
    const words = `one of: ${constants.map(canonicalJson).join(', ')}`
    return { ...lowered, notes: [words, ...lowered.notes] }
  }

  /** The union whose alternatives take over what else is asked: one that may have nothing beside it, or one of several. */
  #unionToSpread({ unions }: SchemaFacts): Union | undefined {
    const [first, ...others] = unions
    if (!first) return undefined
    if (!this.rules.isStrict && others.length === 0) return undefined
    const combined = unions.reduce((count, { alternatives }) => count * alternatives.length, 1)
    return others.length === 0 || combined <= MOST_COMBINED ? first : undefined
  }

  #spread(
    facts: SchemaFacts,
    union: Union,
    depth: number,
  ): Lowered & { readonly notes: readonly string[] } {
    const beside = facts.parts.flatMap((part) => this.#besides(part, union))
    this.#reportTracking(facts, beside)
    const lowered = lowerUnion(union, beside, { context: this, depth })
    if (lowered.plan?.kind === 'union')
      this.#unions.push({ plan: lowered.plan, path: union.owner.path, keyword: union.keyword })
    const told = facts.others.filter(({ keyword }) => !isDemand(keyword))
    const { sent, notes } = lowerKeywords(told, undefined, this)
    return {
      ...lowered,
      schema: lowered.schema && withWords(lowered.schema, sent),
      notes: [...lowered.notes, ...notes],
    }
  }

  /** What a part asks besides the union, without the words that the whole keeps. */
  #besides(part: PlainPart, { keyword, owner }: Union): readonly Part[] {
    const words = Object.keys(part.schema).filter((key) => !isDemand(key))
    const schema = this.parts.without(part.schema, part === owner ? [...words, keyword] : words)
    return demandsOf(schema).length === 0 ? [] : [{ schema, path: part.path }]
  }

  /** What one alternative leaves unevaluated another may evaluate, which no single alternative can say. */
  #reportTracking({ parts }: SchemaFacts, beside: readonly Part[]): void {
    if (beside.length === 0) return
    for (const { schema, path } of parts)
      if (schema.unevaluatedProperties !== undefined)
        this.report({ path, keyword: 'unevaluatedProperties', how: 'dropped' })
  }

  #typed(facts: SchemaFacts, depth: number): Lowered & { readonly notes: readonly string[] } {
    const types = facts.types ?? this.#impliedTypes(facts)
    if (this.rules.isStrict) {
      if (types === undefined) return this.#any(facts)
      if (types.length > 1 && types.some((type) => /^(?:object|array)$/.test(type)))
        return this.#oneByOne(facts, types, depth)
    }
    const { sent, notes } = lowerKeywords(facts.others, types, this)
    const [ofLists, ofOthers] = [true, false].map((wanted) =>
      Object.fromEntries(
        Object.entries(sent).filter(
          ([keyword]) => (TYPES_OF[keyword]?.includes('array') ?? false) === wanted,
        ),
      ),
    ) as [JsonObject, JsonObject]
    const object = speaksOf(facts, types, 'object') ? lowerObject(facts, this, depth) : undefined
    const list = speaksOf(facts, types, 'array')
      ? lowerList(facts, this, { depth, sent: ofLists })
      : undefined
    const possible = possibleTypes(types, {
      object: object === undefined || object.schema !== undefined,
      array: list === undefined || list.schema !== undefined,
    })
    if (possible?.length === 0) return { schema: undefined, notes: [] }
    const union = this.#unionsBeside(facts, depth)
    return {
      schema: {
        ...(possible && { type: possible.length === 1 ? possible[0] : possible }),
        ...ofOthers,
        ...object?.schema,
        ...list?.schema,
        ...union.schema,
      },
      plan: object?.plan ?? list?.plan,
      notes: [...notes, ...(object?.notes ?? []), ...(list?.notes ?? []), ...union.notes],
    }
  }

  /** Unions that stay where they are: the provider takes them, or there are too many alternatives. */
  #unionsBeside(
    facts: SchemaFacts,
    depth: number,
  ): { readonly schema: JsonObject; readonly notes: readonly string[] } {
    const [first, ...others] = facts.unions
    const kept =
      this.rules.isStrict || !first ? [] : [lowerUnion(first, [], { context: this, depth })]
    const notes = (this.rules.isStrict ? facts.unions : others).map(({ keyword, owner }) => {
      this.report({ path: owner.path, keyword, how: 'kept in the description' })
      return `${keyword}: ${JSON.stringify(owner.schema[keyword])}`
    })
    const [union] = kept
    if (!union) return { schema: {}, notes }
    const schema = union.schema ?? this.#nothing(facts)
    const isUnion = Object.keys(schema).every((key) => key === 'anyOf')
    return { schema: isUnion ? schema : { anyOf: [schema] }, notes: [...union.notes, ...notes] }
  }

  /** The types that the keywords speak of, where none is named. Values of other types could not be said. */
  #impliedTypes(facts: SchemaFacts): readonly string[] | undefined {
    if (!this.rules.isStrict) return undefined
    const keywords = facts.parts.flatMap(({ schema }) => demandsOf(schema))
    const types = new Set(keywords.flatMap((keyword) => TYPES_OF[keyword]?.slice(0, 1) ?? []))
    if (types.size === 0) return undefined
    this.report({ path: facts.path, keyword: 'type', how: 'dropped' })
    return [...types]
  }

  /** Any value, for a provider that must know what comes. */
  #any(facts: SchemaFacts): Lowered & { readonly notes: readonly string[] } {
    const { notes } = lowerKeywords(facts.others, undefined, this)
    this.report({ path: facts.path, keyword: 'type', how: 'rewritten', isPoor: true })
    return { schema: { type: 'string' }, plan: { kind: 'text' }, notes: [DESCRIBED_TEXT, ...notes] }
  }

  /** Each type as an alternative: a list of types may not hold one that is written as another. */
  #oneByOne(
    facts: SchemaFacts,
    types: readonly string[],
    depth: number,
  ): Lowered & { readonly notes: readonly string[] } {
    this.report({ path: facts.path, keyword: 'type', how: 'rewritten' })
    const beside = facts.parts.map(({ schema, path }) => ({
      schema: this.parts.without(
        schema,
        Object.keys(schema).filter((key) => !isDemand(key)),
      ),
      path,
    }))
    const lowered = joined(
      types.map((type) =>
        this.lower([...beside, { schema: ONE_TYPE[type], path: facts.path }], depth + 1),
      ),
      this,
    )
    if (lowered.plan?.kind === 'union')
      this.#unions.push({ plan: lowered.plan, path: facts.path, keyword: 'type' })
    const told = facts.others.filter(({ keyword }) => !isDemand(keyword))
    const { sent, notes } = lowerKeywords(told, undefined, this)
    return { ...lowered, schema: lowered.schema && withWords(lowered.schema, sent), notes }
  }

  /** Where a value may fit two alternatives that are raised differently, one of the two meanings is lost. */
  #reportUnclearUnions(): void {
    for (const { plan, path, keyword } of this.#unions) {
      const choices = (['object', 'array', 'string'] as const)
        .map((kind) => planAt(plan, kind))
        .filter((each) => each?.kind === 'choice')
      if (choices.some(({ alternatives }) => this.#isUnclear(alternatives)))
        this.report({ path, keyword, how: 'dropped', isPoor: true })
    }
  }

  #isUnclear(alternatives: readonly Alternative<Plan>[]): boolean {
    return alternatives.some(({ schema }, at) =>
      alternatives.slice(at + 1).some((other) => !areDisjoint(schema, other.schema, this.follow)),
    )
  }

  #wrapped({
    schema,
    plan,
  }: {
    readonly schema: JsonObject
    readonly plan?: LazyPlan | undefined
  }): Lowered & {
    readonly schema: JsonObject
  } {
    this.report({ path: [], keyword: 'type', how: 'rewritten' })
    const properties = { [WRAPPER]: schema }
    const wrapper = { type: 'object', properties, required: [WRAPPER], additionalProperties: false }
    return {
      schema: this.#withDefinitions(wrapper, undefined),
      plan: { kind: 'wrapped', name: WRAPPER, plan },
    }
  }

  /** @param rootKey what the top means, where it stands for itself */
  #withDefinitions(schema: JsonObject, rootKey: string | undefined): JsonObject {
    const definitions = [...this.#definitions].filter(([, { references }]) => references.length > 0)
    const named = new Map<string, JsonObject>()
    for (const [key, { name = 'schema', schema: defined, references }] of definitions) {
      const isRoot = key === rootKey
      const free = freeName(name, named)
      if (!isRoot && defined) named.set(free, defined)
      for (const reference of references) reference.$ref = isRoot ? '#' : `#/$defs/${free}`
    }
    return named.size > 0 ? { ...schema, $defs: Object.fromEntries(named) } : schema
  }

  /** The author's name for a definition. */
  #nameOf({ path }: Pick<Part, 'path'>): string {
    return (
      String(path.at(-1) ?? 'root')
        .replace(/[^\w-]+/g, '_')
        .slice(0, 60) || 'schema'
    )
  }
}

const WRAPPER = 'value'

/** Whether something is asked of values of a type. */
function speaksOf(facts: SchemaFacts, types: readonly string[] | undefined, type: string): boolean {
  if (types) return types.includes(type)
  const keywords = facts.parts.flatMap(({ schema }) => demandsOf(schema))
  return keywords.some((keyword) => TYPES_OF[keyword]?.includes(type))
}

/** The types without those of which no value fits; undefined if it may be any. */
function possibleTypes(
  types: readonly string[] | undefined,
  mayBe: { readonly [type: string]: boolean },
): readonly string[] | undefined {
  if (types === undefined && Object.values(mayBe).every(Boolean)) return undefined
  return (types ?? ALL_TYPES).filter((type) => mayBe[type] ?? true)
}

const ALL_TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null']

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

/** Whether the lowered object stands for something that is no object, or for one with other names. */
const isRewritten = (plan: LazyPlan | undefined): boolean => plan?.kind === 'tuple'

const pathWords = (path: SchemaPath): string =>
  path.length === 0 ? 'the top' : path.filter((key) => key !== 'properties').join('.')

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`
  return free
}
