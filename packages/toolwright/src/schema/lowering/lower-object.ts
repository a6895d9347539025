/** Objects: their properties, and the members whose names the schema does not give. */
import { isObject, keysOf, valueAt, type JsonObject } from '../json-object.ts'
import type { Lowered, LoweredWithNotes, LoweringContext } from './lowering-context.ts'
import { hasPlans, joinLowered, orNull } from './join-lowered.ts'
import type { EntriesPlan, ObjectPlan } from './raise-plan.ts'
import type { SchemaFacts } from './schema-facts.ts'
import { namesIn, ObjectParts, partAt, type Rest } from './object-parts.ts'
import type { Part } from './schema-parts.ts'

export function lowerObject(
  facts: SchemaFacts,
  context: LoweringContext,
  depth: number,
): LoweredWithNotes {
  return new ObjectLowering(facts, context, depth).lower()
}

/** A list of entries instead of a map whose names nobody knows beforehand. */
const REST_NAME = 'additional_properties'
const ENTRIES_NOTE = 'a list of entries: each key once, with its value'

interface Nullable extends Lowered {
  /** Whether null stands for a missing property. */
  readonly absent: boolean
}

interface Entries {
  readonly schema: JsonObject
  readonly plan: EntriesPlan
}

class ObjectLowering {
  readonly #facts: SchemaFacts
  readonly #context: LoweringContext
  readonly #depth: number
  readonly #notes: string[] = []
  readonly #members: ObjectParts

  constructor(facts: SchemaFacts, context: LoweringContext, depth: number) {
    this.#facts = facts
    this.#context = context
    this.#depth = depth
    this.#members = new ObjectParts(facts, context)
  }

  lower(): LoweredWithNotes {
    const properties = new Map<string, Lowered>()
    const backLeading = new Set<string>()
    const rest = this.#members.rest()
    for (const name of this.#members.names) {
      const isRequired = this.#members.required.has(name)
      const { lowered, leadsBack } = this.#context.leadingBack(() =>
        this.#context.lower(this.#members.of(name), this.#depth + 1),
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
    return this.#closed(lowered, list)
  }

  #closed(properties: ReadonlyMap<string, Nullable>, list: Entries | undefined): Lowered {
    const rest = list && { name: freeName(REST_NAME, properties), entries: list.plan }
    const plan: ObjectPlan = {
      kind: 'object',
      members: new Map([...properties].map(([name, each]) => [name, each.plan])),
      absent: new Set([...properties].filter(([, each]) => each.absent).map(([name]) => name)),
      ...(rest && { rest }),
    }
    const description = `Members of other names: ${ENTRIES_NOTE}.`
    const others = rest && { [rest.name]: { ...list.schema, description } }
    // The provider cannot keep the names of properties out of the list.
    if (rest) this.#reportProperties()
    const names = [...properties.keys(), ...(rest ? [rest.name] : [])]
    const { allRequired } = this.#context.rules
    const required = names.filter((name) => allRequired || this.#members.required.has(name))
    const isPlain = plan.absent.size === 0 && !rest && !hasPlans(plan.members.values())
    return {
      schema: {
        properties: { ...objectOf(properties), ...others },
        ...((required.length > 0 || allRequired) && { required }),
        additionalProperties: false,
      },
      plan: isPlain ? undefined : plan,
    }
  }

  /** A property that may be missing is null where all are required. */
  #nullable(name: string, { schema, plan }: Lowered): Nullable {
    const { rules, parts } = this.#context
    if (!rules.allRequired || this.#members.required.has(name))
      return { schema, plan, absent: false }
    const asked = this.#members.of(name)
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
  #entries(rest: readonly (readonly Part[])[]): Entries | undefined {
    const { schema: value, plan } = this.#value(rest)
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
  #value(rest: readonly (readonly Part[])[]): Lowered {
    this.#notePatterns()
    const isAny = rest.some((parts) => parts.every(({ schema }) => schema === true))
    const asked = isAny ? [[{ schema: true, path: this.#facts.path }]] : rest
    const lowered = asked.map((parts) => this.#context.lower(parts, this.#depth + 1))
    const value = joinLowered(lowered, this.#context)
    this.#context.joined(value.plan, { path: this.#facts.path, keyword: 'patternProperties' })
    return value
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
      (name) => this.#members.required.has(name) && !this.#isFreed(name, backLeading),
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
    const { schema: value } = this.#value(rest)
    return isAny ? true : (value ?? false)
  }
}

const TEXT: JsonObject = { type: 'string' }

function freeName(name: string, taken: { has(name: string): boolean }): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`
  return free
}

const objectOf = (properties: ReadonlyMap<string, Lowered>): JsonObject =>
  Object.fromEntries([...properties].map(([name, { schema }]) => [name, schema]))
