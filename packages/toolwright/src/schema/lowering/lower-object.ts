/** Objects: their properties, and the members whose names the schema does not give. */
import { isObject, keysOf, valueAt, type JsonObject } from '../json-object.ts'
import { patternOf } from '../pattern-of.ts'
import type { Lowered, LoweringContext } from './lowering-context.ts'
import type { EntriesPlan, LazyPlan, ObjectPlan } from './raise-plan.ts'
import type { SchemaFacts } from './schema-facts.ts'
import type { Part, PlainPart } from './schema-parts.ts'

/** What other members than the named ones may be. `unsaid`: no part says anything, which means any value. */
type Rest = 'closed' | 'unsaid' | readonly (readonly Part[])[]

export interface LoweredObject extends Lowered {
  readonly notes: readonly string[]
}

export function lowerObject(
  facts: SchemaFacts,
  context: LoweringContext,
  depth: number,
): LoweredObject {
  return new ObjectLowering(facts, context, depth).lower()
}

/** A list of entries instead of a map whose names nobody knows beforehand. */
const REST_NAME = 'additional_properties'
const ENTRIES_NOTE = 'a list of entries: each key once, with its value'

class ObjectLowering {
  readonly #facts: SchemaFacts
  readonly #context: LoweringContext
  readonly #depth: number
  readonly #notes: string[] = []
  readonly #names: ReadonlySet<string>
  readonly #required: ReadonlySet<string>

  constructor(facts: SchemaFacts, context: LoweringContext, depth: number) {
    this.#facts = facts
    this.#context = context
    this.#depth = depth
    this.#required = new Set(facts.parts.flatMap(({ schema }) => namesIn(schema.required)))
    this.#names = new Set([
      ...facts.parts.flatMap(({ schema }) => keysOf(schema.properties)),
      ...this.#required,
      ...this.#listedNames(),
      ...this.#conditionalNames(),
    ])
  }

  lower(): LoweredObject {
    const properties = new Map<string, Lowered>()
    const backLeading = new Set<string>()
    const rest = this.#rest()
    for (const name of this.#names) {
      const isRequired = this.#required.has(name)
      const { lowered, leadsBack } = this.#context.leadingBack(() =>
        this.#context.lower(this.#partsFor(name), this.#depth + 1),
      )
      if (lowered.schema === undefined && isRequired) return { schema: undefined, notes: [] }
      if (lowered.schema !== undefined) properties.set(name, lowered)
      else this.#forbid(name, rest)
      if (leadsBack) backLeading.add(name)
    }
    const lowered = this.#context.rules.isStrict
      ? this.#strict(properties, rest)
      : this.#open(properties, rest, backLeading)
    return { ...lowered, notes: this.#notes }
  }

  /** A name that no value fits is left out; where others than those listed are allowed, words forbid it. */
  #forbid(name: string, rest: Rest): void {
    if (rest === 'closed') return
    this.#reportProperties()
    this.#notes.push(`never with ${name}`)
  }

  #reportProperties(): void {
    for (const { schema, path } of this.#facts.parts)
      if (isObject(schema.properties))
        this.#context.report({ path, keyword: 'properties', how: 'kept in the description' })
  }

  /** Everything that is asked of the member of this name. */
  #partsFor(name: string): readonly Part[] {
    const { parts } = this.#facts
    const refused = parts
      .flatMap((part) => partAt(part, 'propertyNames'))
      .filter((names) => !this.#context.parts.accepts([names], name))
      .map(({ path }) => ({ schema: false, path }))
    const asked = parts.flatMap((part) => askedOf(part, name))
    if (asked.length > 0) return [...asked, ...refused]
    const conditional = this.#conditional(name)
    const unevaluated = parts.flatMap((part) => partAt(part, 'unevaluatedProperties'))
    const other = conditional.length > 0 ? conditional : unevaluated
    return other.length > 0 || refused.length > 0
      ? [...other, ...refused]
      : [{ schema: true, path: this.#facts.path }]
  }

  /** What a condition asks of a name that nothing else gives: one of its branches. */
  #conditional(name: string): readonly Part[] {
    const asked = this.#facts.parts.flatMap(({ schema, path }) =>
      conditionsOf(schema).flatMap((condition) => {
        const own = valueAt(condition, ['properties', name])
        return own === undefined ? [] : [{ schema: own, path: [...path, 'properties', name] }]
      }),
    )
    if (asked.length < 2) return asked
    return [{ schema: { anyOf: asked.map(({ schema }) => schema) }, path: asked[0]!.path }]
  }

  /** The names of a map that takes no others: they are properties. */
  #listedNames(): readonly string[] {
    return this.#facts.parts.flatMap(({ schema, path }) => {
      const names = schema.propertyNames
      const listed = isObject(names) ? namesIn(names['enum']) : []
      if (listed.length > 0 && !this.#isClosedPart(schema))
        this.#context.report({ path, keyword: 'propertyNames', how: 'rewritten' })
      return listed
    })
  }

  #isClosedPart({ additionalProperties }: JsonObject): boolean {
    return additionalProperties === false
  }

  /**
   * The names that only a condition gives, where those that nothing gives are forbidden. The model must be able
   * to say them; the condition itself is put into words.
   */
  #conditionalNames(): readonly string[] {
    const isHeld = this.#facts.parts.some(({ schema }) => schema.unevaluatedProperties === false)
    if (!isHeld) return []
    return this.#facts.parts.flatMap(({ schema }) =>
      conditionsOf(schema).flatMap((condition) => keysOf(valueAt(condition, ['properties']))),
    )
  }

  #rest(): Rest {
    const { parts } = this.#facts
    const hasNames = parts.some(
      ({ schema }) => namesIn(valueAt(schema.propertyNames, ['enum'])).length > 0,
    )
    if (hasNames) return 'closed'
    const closing = parts.filter(({ schema }) => schema.additionalProperties === false)
    const additional = parts
      .filter(({ schema }) => schema.additionalProperties !== false)
      .flatMap((part) => partAt(part, 'additionalProperties'))
    if (closing.some(({ schema }) => keysOf(schema.patternProperties).length === 0)) return 'closed'
    const patterns = (closing[0] ? [closing[0]] : parts).flatMap(patternsOf)
    const byPattern = patterns.map((pattern) => (closing[0] ? [pattern, ...additional] : [pattern]))
    if (closing.length > 0) return byPattern
    if (additional.length > 0) return [...byPattern, additional]
    const unevaluated = parts.flatMap((part) => partAt(part, 'unevaluatedProperties'))
    if (unevaluated.length === 0)
      return byPattern.length > 0 ? [...byPattern, [{ schema: true, path: [] }]] : 'unsaid'
    if (this.#facts.unions.length > 0) return this.#unevaluatedBesideUnion()
    const evaluated = unevaluated.filter(({ schema }) => schema !== false)
    const more = evaluated.length > 0 ? [...byPattern, evaluated] : byPattern
    return more.length > 0 ? more : 'closed'
  }

  /** The alternatives of a union that stays beside the object may give further names. */
  #unevaluatedBesideUnion(): Rest {
    const { rules } = this.#context
    for (const { schema, path } of this.#facts.parts)
      if (schema.unevaluatedProperties !== undefined)
        this.#context.report({
          path,
          keyword: 'unevaluatedProperties',
          how: 'dropped',
          isPoor: rules.isStrict,
        })
    return rules.isStrict ? 'closed' : 'unsaid'
  }

  /** For a provider that wants every name listed. */
  #strict(properties: ReadonlyMap<string, Lowered>, rest: Rest): Lowered {
    const hasProperties = this.#facts.parts.some(({ schema }) => isObject(schema.properties))
    const others = this.#others(rest, hasProperties)
    const list = others && this.#entries(others)
    if (list && properties.size === 0) {
      this.#notes.push(ENTRIES_NOTE)
      return list
    }
    const lowered = new Map(
      [...properties].map(([name, each]) => [name, this.#nullable(name, each)]),
    )
    const restName = list && freeName(REST_NAME, new Set(lowered.keys()))
    if (restName !== undefined) {
      // The provider cannot keep the names of properties out of the list.
      this.#reportProperties()
      lowered.set(restName, {
        schema: { ...list!.schema, description: `Members of other names: ${ENTRIES_NOTE}.` },
        absent: false,
        plan: undefined,
      })
    }
    const plan: ObjectPlan = {
      kind: 'object',
      members: new Map([...lowered].map(([name, each]) => [name, each.plan])),
      absent: new Set([...lowered].filter(([, each]) => each.absent).map(([name]) => name)),
      ...(restName !== undefined && {
        rest: { name: restName, entries: list!.plan },
      }),
    }
    const isPlain =
      plan.absent.size === 0 && plan.rest === undefined && !hasPlans(plan.members.values())
    const required = this.#context.rules.allRequired
      ? [...lowered.keys()]
      : [...lowered.keys()].filter((name) => this.#required.has(name))
    return {
      schema: {
        properties: objectOf(lowered),
        ...((required.length > 0 || this.#context.rules.allRequired) && { required }),
        additionalProperties: false,
      },
      plan: isPlain ? undefined : plan,
    }
  }

  /** A property that may be missing is null where all are required. */
  #nullable(name: string, { schema, plan }: Lowered): Lowered & { readonly absent: boolean } {
    const { rules, parts } = this.#context
    if (!rules.allRequired || this.#required.has(name)) return { schema, plan, absent: false }
    const asked = this.#partsFor(name)
    const path = asked[0]?.path ?? this.#facts.path
    const mayBeNull = parts.accepts(asked, null)
    // Null and nothing are then the same, and both are null.
    this.#context.report({ path, keyword: 'required', how: mayBeNull ? 'dropped' : 'rewritten' })
    return mayBeNull
      ? { schema, plan, absent: false }
      : { schema: orNull(schema!), plan, absent: true }
  }

  /** The schemas of members that are listed as entries; undefined if there are none. */
  #others(rest: Rest, hasProperties: boolean): readonly (readonly Part[])[] | undefined {
    const report = this.#context.report.bind(this.#context)
    if (rest === 'closed') return undefined
    if (rest !== 'unsaid') {
      for (const { schema, path } of this.#facts.parts) {
        for (const keyword of ['additionalProperties', 'unevaluatedProperties'])
          if (schema[keyword] !== undefined && schema[keyword] !== false)
            report({ path, keyword, how: 'rewritten' })
      }
      return rest
    }
    if (!hasProperties) {
      report({ path: this.#facts.path, keyword: 'type', how: 'rewritten' })
      return [[{ schema: true, path: this.#facts.path }]]
    }
    report({ path: this.#facts.path, keyword: 'additionalProperties', how: 'dropped' })
    return undefined
  }

  /** Undefined if no other member fits. */
  #entries(
    rest: readonly (readonly Part[])[],
  ): { readonly schema: JsonObject; readonly plan: EntriesPlan } | undefined {
    const { value, plan } = this.#value(rest)
    const key = this.#key()
    if (value === undefined || key === undefined) return undefined
    return {
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: { key, value },
          required: ['key', 'value'],
          additionalProperties: false,
        },
      },
      plan: { kind: 'entries', value: plan },
    }
  }

  /** What the value of a member of another name may be: what one of the patterns or the rest asks. */
  #value(rest: readonly (readonly Part[])[]): {
    readonly value: JsonObject | undefined
    readonly plan: LazyPlan | undefined
  } {
    this.#notePatterns()
    const isAny = rest.some((parts) => parts.every(({ schema }) => schema === true))
    const asked = isAny ? [[{ schema: true, path: this.#facts.path }]] : rest
    const lowered = asked
      .map((parts) => this.#context.lower(parts, this.#depth + 1))
      .filter(({ schema }) => schema !== undefined)
    const [first, ...others] = lowered
    if (others.length === 0) return { value: first?.schema, plan: first?.plan }
    const alternatives = lowered.map(({ schema, plan }) => ({ schema: schema!, plan }))
    return {
      value: { anyOf: alternatives.map(({ schema }) => schema) },
      plan: hasPlans(alternatives.map(({ plan }) => plan))
        ? { kind: 'union', alternatives, follow: this.#context.follow, found: new Map() }
        : undefined,
    }
  }

  #notePatterns(): void {
    for (const { schema, path } of this.#facts.parts) {
      const patterns = keysOf(schema.patternProperties)
      if (patterns.length === 0) continue
      this.#context.report({ path, keyword: 'patternProperties', how: 'kept in the description' })
      this.#notes.push(`names that match: ${patterns.join(' or ')}`)
    }
  }

  #key(): JsonObject | undefined {
    const asked = this.#facts.parts.flatMap((part) => partAt(part, 'propertyNames'))
    for (const { path } of asked)
      this.#context.report({ path: path.slice(0, -1), keyword: 'propertyNames', how: 'rewritten' })
    return this.#context.lower(
      [{ schema: TEXT, path: this.#facts.path }, ...asked],
      this.#depth + 1,
    ).schema
  }

  /** For a provider that takes objects as they are. */
  #open(
    properties: ReadonlyMap<string, Lowered>,
    rest: Rest,
    backLeading: ReadonlySet<string>,
  ): Lowered {
    const required = [...properties.keys()].filter(
      (name) => this.#required.has(name) && !this.#isFreed(name, backLeading),
    )
    this.#noteNames()
    const additional = this.#additional(rest)
    return {
      schema: {
        ...(properties.size > 0 && { properties: objectOf(properties) }),
        ...(required.length > 0 && { required }),
        ...(additional !== undefined && { additionalProperties: additional }),
      },
    }
  }

  #isFreed(name: string, backLeading: ReadonlySet<string>): boolean {
    if (this.#context.rules.recursion !== 'in optional properties' || !backLeading.has(name))
      return false
    for (const { schema, path } of this.#facts.parts)
      if (namesIn(schema.required).includes(name))
        this.#context.report({ path, keyword: 'required', how: 'kept in the description' })
    this.#notes.push(`always with ${name}`)
    return true
  }

  #noteNames(): void {
    for (const { schema, path } of this.#facts.parts) {
      const { propertyNames } = schema
      if (propertyNames === undefined || namesIn(valueAt(propertyNames, ['enum'])).length > 0)
        continue
      this.#context.report({ path, keyword: 'propertyNames', how: 'kept in the description' })
      this.#notes.push(`propertyNames: ${JSON.stringify(propertyNames)}`)
    }
  }

  #additional(rest: Rest): JsonObject | boolean | undefined {
    if (rest === 'closed') return false
    if (rest === 'unsaid') return undefined
    const isAny = rest.some((parts) => parts.every(({ schema }) => schema === true))
    const { value } = this.#value(rest)
    return isAny ? true : (value ?? false)
  }
}

const TEXT: JsonObject = { type: 'string' }

function namesIn(names: unknown): readonly string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

function partAt({ schema, path }: PlainPart, keyword: string): readonly Part[] {
  const inner = schema[keyword]
  return inner === undefined ? [] : [{ schema: inner, path: [...path, keyword] }]
}

function patternsOf({ schema, path }: PlainPart): readonly Part[] {
  return keysOf(schema.patternProperties).map((source) => ({
    schema: valueAt(schema.patternProperties, [source]),
    path: [...path, 'patternProperties', source],
  }))
}

/** What one part asks of the member of a name. */
function askedOf(part: PlainPart, name: string): readonly Part[] {
  const { schema, path } = part
  const own = valueAt(schema.properties, [name])
  const asked: Part[] =
    own === undefined ? [] : [{ schema: own, path: [...path, 'properties', name] }]
  for (const pattern of patternsOf(part))
    if (matches(String(pattern.path.at(-1)), name)) asked.push(pattern)
  return asked.length > 0 ? asked : partAt(part, 'additionalProperties')
}

function matches(source: string, name: string): boolean {
  try {
    return patternOf(source).test(name)
  } catch {
    return false
  }
}

function conditionsOf({
  if: condition,
  then,
  else: otherwise,
  dependentSchemas,
}: JsonObject): readonly unknown[] {
  return [condition, then, otherwise, ...Object.values(Object(dependentSchemas) as object)]
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`
  return free
}

const objectOf = (properties: ReadonlyMap<string, Lowered>): JsonObject =>
  Object.fromEntries([...properties].map(([name, { schema }]) => [name, schema]))

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
