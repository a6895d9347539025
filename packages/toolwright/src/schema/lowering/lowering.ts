/**
 * Lowers one declared schema to what a provider takes of JSON Schema. Follows the schema once, notes every change,
 * and makes the plan by which answers are raised. Recursive schemas become definitions; a schema without end (too
 * deep, too large once its parts are put together) is cut and the cut reported.
 */
import { isObject, type JsonObject } from '../json-object.ts'
import { Definitions, type Definition } from './definitions.ts'
import { areDisjoint } from './disjoint-schemas.ts'
import { lowerFacts } from './lower-facts.ts'
import { described, lowerKeywords, withWords } from './lower-keywords.ts'
import type { Change, Lowered, LoweringContext } from './lowering-context.ts'
import { type Alternative, type LazyPlan, type Plan, planAt, type UnionPlan } from './raise-plan.ts'
import { factsOf } from './schema-facts.ts'
import { demandsOf, type Meaning, type Part, SchemaParts } from './schema-parts.ts'
import type { SubsetRules } from './schema-rules.ts'
import { anyText, nothingFits } from './unsayable.ts'

const DEEPEST = 100
const MOST_NODES = 30_000
/** What is put together from the same parts again: references that ask something else too are written out. */
const MOST_REPEATED = 3000
/** Beyond, nobody looks whether each alternative excludes each. */
const MOST_COMPARED = 40
const WRAPPER = 'value'

type Place = Pick<Change, 'path' | 'keyword'>
type LoweredTop = Lowered & { readonly schema: JsonObject }

export class Lowering implements LoweringContext {
  readonly rules: SubsetRules
  readonly parts: SchemaParts
  readonly changes: Change[] = []
  readonly #root: JsonObject
  readonly #definitions = new Definitions()
  readonly #unions: { readonly plan: UnionPlan; readonly place: Place }[] = []
  readonly #seen = new Set<string>()
  #nodes = 0
  #repeated = 0
  #leadsBack = false

  constructor(root: JsonObject, rules: SubsetRules) {
    this.rules = rules
    this.parts = new SchemaParts(root)
    this.#root = root
  }

  /** The schema of the top, and the definitions it refers to. */
  lowerRoot(): LoweredTop {
    const meaning = this.parts.meaningOf([{ schema: this.#root, path: [] }])
    const { schema = nothingFits(meaning, this), plan } = this.#meaning(meaning, 0)
    this.#reportUnclearUnions()
    const isObjectSchema = schema.type === 'object' && schema.anyOf === undefined
    return isObjectSchema
      ? { schema: this.#definitions.addedTo(schema, meaning.key), plan }
      : this.#wrapped(schema, plan)
  }

  report(change: Change): void {
    this.changes.push(change)
  }

  readonly follow = (schema: JsonObject): JsonObject => this.#definitions.follow(schema)

  joined(plan: LazyPlan | undefined, place: Place): void {
    if (plan?.kind === 'union') this.#unions.push({ plan, place })
  }

  leadingBack(lower: () => Lowered): { readonly lowered: Lowered; readonly leadsBack: boolean } {
    const before = this.#leadsBack
    this.#leadsBack = false
    const lowered = lower()
    const leadsBack = this.#leadsBack
    this.#leadsBack = before
    return { lowered, leadsBack }
  }

  lower(parts: readonly Part[], depth: number): Lowered {
    const [first] = parts
    if (first === undefined) return { schema: {} }
    if (depth > DEEPEST || ++this.#nodes > MOST_NODES) return this.#cut(first)
    const target = parts.length === 1 ? this.#targetOf(first) : undefined
    if (target !== undefined) return this.#referred(first, target, depth)
    const meaning = this.parts.meaningOf(parts)
    return this.#isRepeatedTooOften(meaning) ? this.#cut(first) : this.#meaning(meaning, depth)
  }

  #isRepeatedTooOften({ key, parts }: Meaning): boolean {
    if (parts.length < 2) return false
    const isRepeated = this.#seen.has(key)
    this.#seen.add(key)
    return isRepeated && ++this.#repeated > MOST_REPEATED
  }

  /** The target of a part that is a reference, and asks nothing else. */
  #targetOf({ schema }: Part): Part | undefined {
    if (!isObject(schema) || this.rules.references === 'inlined') return undefined
    const { $ref } = schema
    const isAlone = demandsOf(schema).every((keyword) => keyword === '$ref')
    return isAlone && typeof $ref === 'string' ? this.parts.targetOf(schema, $ref) : undefined
  }

  #referred(part: Part, target: Part, depth: number): Lowered {
    const meaning = { ...this.parts.meaningOf([target]), references: [part.path] }
    const lowered = this.#definition(meaning, depth + 1)
    const schema = this.parts.without(part.schema as JsonObject, ['$ref'])
    const { others } = factsOf({ parts: [{ schema, path: part.path }], path: part.path })
    const { sent, notes } = lowerKeywords(others, undefined, this)
    const words = described(sent, [schema.description], notes)
    return { ...lowered, schema: lowered.schema && withWords(lowered.schema, words) }
  }

  /** A reference to a definition, which is made where there is none yet. */
  #definition(meaning: Meaning, depth: number): Lowered {
    const { key, path } = meaning
    if (key === '' || meaning.isNever) return this.#meant(meaning, depth)
    const known = this.#definitions.get(key)
    if (known) return this.#refer(meaning, known)
    const definition = this.#definitions.open(key, path)
    const lowered = this.#meant(meaning, depth)
    return this.#close(meaning, definition, lowered)
      ? this.#refer(meaning, definition)
      : { schema: undefined }
  }

  /** What is meant itself; a reference to it, where it was referred to from within. */
  #meaning(meaning: Meaning, depth: number): Lowered {
    const { key, path } = meaning
    if (key === '' || meaning.isNever) return this.#meant(meaning, depth)
    const known = this.#definitions.get(key)
    if (known) return this.#refer(meaning, known)
    const definition = this.#definitions.open(key, path)
    const lowered = this.#meant(meaning, depth)
    if (!this.#close(meaning, definition, lowered)) return { schema: undefined }
    if (definition.references.length > 0)
      return depth === 0 ? lowered : this.#refer(meaning, definition)
    this.#definitions.forget(key)
    return lowered
  }

  /** Whether something fits the definition. If not, what refers to it already refers to nothing. */
  #close(meaning: Meaning, definition: Definition, { schema, plan }: Lowered): boolean {
    const isReferred = definition.references.length > 0
    definition.plan = plan
    definition.schema = schema ?? (isReferred ? nothingFits(meaning, this) : undefined)
    if (definition.schema === undefined) this.#definitions.forget(meaning.key)
    return schema !== undefined
  }

  #refer(meaning: Meaning, definition: Definition): Lowered {
    const isOpen = definition.schema === undefined
    this.#leadsBack ||= isOpen
    return isOpen && this.rules.recursion === 'none'
      ? this.#again(meaning)
      : this.#definitions.refer(definition)
  }

  /** For a provider without recursion: what would come again is any value. */
  #again(meaning: Meaning): Lowered {
    for (const path of meaning.references)
      this.report({ path, keyword: '$ref', how: 'kept in the description', isPoor: true })
    const { types, parts } = factsOf(meaning)
    const { path } = parts.find(({ schema }) => demandsOf(schema).length > 0) ?? meaning
    const where = path.filter((key) => key !== 'properties').join('.') || 'the top'
    if (this.rules.isStrict) return anyText([`as at ${where}`])
    const type = types && { type: types.length === 1 ? types[0] : types }
    return { schema: { ...type, description: `The same again as at ${where}.` } }
  }

  #cut({ schema, path }: Part): Lowered {
    const keyword = isObject(schema) ? (demandsOf(schema)[0] ?? 'type') : 'type'
    this.report({ path, keyword, how: 'dropped', isPoor: true })
    return this.rules.isStrict ? anyText() : { schema: {} }
  }

  #meant(meaning: Meaning, depth: number): Lowered {
    if (meaning.isNever) return { schema: undefined }
    for (const { keyword, path } of meaning.lost)
      this.report({ path, keyword, how: 'dropped', isPoor: true })
    const { schema, plan, notes } = lowerFacts(factsOf(meaning), this, depth)
    const descriptions = meaning.parts.map((part) => part.schema.description)
    return { schema: schema && described(schema, descriptions, notes), plan }
  }

  /** Where a value may fit two alternatives that are raised differently, one of the two meanings is lost. */
  #reportUnclearUnions(): void {
    for (const { plan, place } of this.#unions) {
      const choices = (['object', 'array', 'string'] as const)
        .map((kind) => planAt(plan, kind))
        .filter((each) => each?.kind === 'choice')
      if (choices.some(({ alternatives }) => this.#isUnclear(alternatives)))
        this.report({ ...place, how: 'dropped', isPoor: true })
    }
  }

  #isUnclear(alternatives: readonly Alternative<Plan>[]): boolean {
    const isApart = (one: Alternative<Plan>, other: Alternative<Plan>): boolean =>
      areDisjoint(one.schema, other.schema, this.follow)
    return (
      alternatives.length > MOST_COMPARED ||
      alternatives.some((one, at) =>
        alternatives.slice(at + 1).some((other) => !isApart(one, other)),
      )
    )
  }

  #wrapped(schema: JsonObject, plan: LazyPlan | undefined): LoweredTop {
    this.report({ path: [], keyword: 'type', how: 'rewritten' })
    const properties = { [WRAPPER]: schema }
    const top = { type: 'object', properties, required: [WRAPPER], additionalProperties: false }
    return {
      schema: this.#definitions.addedTo(top),
      plan: { kind: 'wrapped', name: WRAPPER, plan },
    }
  }
}
