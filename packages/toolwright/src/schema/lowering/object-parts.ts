/** What the parts of an object schema ask of its members, by name, and of those whose names they do not give. */
import { isObject, keysOf, valueAt, type JsonObject } from '../json-object.ts'
import { patternOf } from '../pattern-of.ts'
import type { LoweringContext } from './lowering-context.ts'
import type { SchemaFacts } from './schema-facts.ts'
import type { Part, PlainPart } from './schema-parts.ts'

/** What other members than the named ones may be. `unsaid`: no part says anything, which means any value. */
export type Rest = 'closed' | 'unsaid' | readonly (readonly Part[])[]

export class ObjectParts {
  /** Every name that is given, with all that is asked of it in `of`. */
  readonly names: ReadonlySet<string>
  readonly required: ReadonlySet<string>
  readonly #facts: SchemaFacts
  readonly #context: LoweringContext

  constructor(facts: SchemaFacts, context: LoweringContext) {
    this.#facts = facts
    this.#context = context
    this.required = new Set(facts.parts.flatMap(({ schema }) => namesIn(schema.required)))
    this.names = new Set([
      ...facts.parts.flatMap(({ schema }) => keysOf(schema.properties)),
      ...this.required,
      ...this.#listedNames(),
      ...this.#conditionalNames(),
    ])
  }

  /** Everything that is asked of the member of this name. */
  of(name: string): readonly Part[] {
    const { parts } = this.#facts
    const refused = parts
      .flatMap((part) => partAt(part, 'propertyNames'))
      .filter((names) => !this.#context.parts.accepts([names], name))
      .map(({ path }) => ({ schema: false, path }))
    const asked = parts.flatMap((part) => askedOf(part, name))
    if (asked.length > 0) return [...asked, ...refused]
    const conditional = this.#isHeld() ? this.#conditional(name) : []
    const unevaluated = parts.flatMap((part) => partAt(part, 'unevaluatedProperties'))
    const other = conditional.length > 0 ? conditional : unevaluated
    return other.length > 0 || refused.length > 0
      ? [...other, ...refused]
      : [{ schema: true, path: this.#facts.path }]
  }

  /** Whether names that nothing gives are forbidden. */
  #isHeld(): boolean {
    return this.#facts.parts.some(({ schema }) => schema.unevaluatedProperties === false)
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
      if (listed.length > 0 && schema.additionalProperties !== false)
        this.#context.report({ path, keyword: 'propertyNames', how: 'rewritten' })
      return listed
    })
  }

  /**
   * The names that only a condition gives, where those that nothing gives are forbidden. The model must be able
   * to say them; the condition itself is put into words.
   */
  #conditionalNames(): readonly string[] {
    if (!this.#isHeld()) return []
    return this.#facts.parts.flatMap(({ schema }) =>
      conditionsOf(schema).flatMap((condition) => keysOf(valueAt(condition, ['properties']))),
    )
  }

  rest(): Rest {
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
}

export function namesIn(names: unknown): readonly string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

export function partAt({ schema, path }: PlainPart, keyword: string): readonly Part[] {
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
