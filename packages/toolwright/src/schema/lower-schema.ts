/**
 * One declared schema for every provider: it is lowered to what a provider takes, and what the model gives back
 * is raised to what the declared schema means. The rules of each provider are in lowering/schema-rules.ts.
 */
import { pathText } from './describe-value.ts'
import type { JsonObject } from './json-object.ts'
import type { JsonSchema } from './json-schema.ts'
import { Lowering } from './lowering/lowering.ts'
import type { Change } from './lowering/lowering-context.ts'
import { lowerOpen } from './lowering/lower-open.ts'
import { doesAnything, dropsOnlyNulls } from './lowering/raise-plan.ts'
import { type Raising, raiseValue } from './lowering/raise.ts'
import type { SchemaChange } from './lowering/schema-change.ts'
import {
  SCHEMA_RULES,
  type SchemaDialect,
  type SchemaLanguage,
  type SchemaRules,
} from './lowering/schema-rules.ts'
import { isWithinStrictLimits } from './lowering/strict-limits.ts'

export interface LoweredSchema {
  /** What the provider gets. Always the schema of an object: anything else is wrapped in `{ value }`. */
  readonly schema: JsonSchema
  /** Everything that differs in meaning from the declared schema, each keyword once per place. */
  readonly changes: readonly SchemaChange[]
  /**
   * Turns what the model gave back into what the declared schema means. Takes anything and never throws; what does
   * not fit the lowered schema stays as it is where it does not fit. Returns the same object if nothing changes.
   */
  raise(value: unknown): unknown
}

/**
 * Lowers a JSON Schema (of a Standard Schema: that of `toJsonSchema`) to what a provider takes. Adapters do this by
 * themselves; call it to see what a provider is told, or in an adapter of your own.
 *
 * @example
 * const { schema, changes, raise } = lowerSchema(
 *   { type: 'object', properties: { city: { type: 'string', minLength: 1 } } },
 *   'openai-strict',
 * )
 * raise({ city: null }) // {}: in strict mode a missing property is null
 */
export function lowerSchema(schema: JsonSchema, dialect: SchemaDialect): LoweredSchema {
  const { raising, changes } = lowerFor(schema, dialect)
  return {
    schema: raising.schema as JsonSchema,
    changes,
    raise: (value) => raiseValue(raising, value),
  }
}

/** What adapters use of a lowered schema. */
export interface LoweredFor {
  readonly raising: Raising
  readonly changes: readonly SchemaChange[]
  /** Whether raising changes anything. */
  readonly isRaised: boolean
  /** Raising leaves out nulls and does nothing else: JSON without any stays as it is. */
  readonly dropsOnlyNulls: boolean
  /**
   * Whether a model may be held to it without being asked: every value that the declared schema takes can be said,
   * none of them as JSON inside a text, and the provider's limits are kept.
   */
  readonly isFit: boolean
}

export function lowerFor(schema: JsonSchema, language: SchemaLanguage): LoweredFor {
  const rules = SCHEMA_RULES[language]
  const { changes, ...raising } = lowered(withoutDialect(schema), rules)
  const isWithin =
    !(rules.kind === 'subset' && rules.allRequired) || isWithinStrictLimits(raising.schema)
  return {
    raising,
    changes: reported(changes),
    isRaised: doesAnything(raising.plan),
    dropsOnlyNulls: dropsOnlyNulls(raising.plan),
    isFit: isWithin && !changes.some(({ isPoor }) => isPoor),
  }
}

/** Its name says nothing to a model, and some providers refuse it. */
function withoutDialect(schema: JsonSchema): JsonObject {
  if (schema.$schema === undefined) return schema as JsonObject
  const { $schema: _dialect, ...rest } = schema
  return rest as JsonObject
}

type Result = Raising & { readonly changes: readonly Change[] }

function lowered(schema: JsonObject, rules: SchemaRules): Result {
  try {
    if (rules.kind === 'open') return lowerOpen(schema, rules)
    const lowering = new Lowering(schema, rules)
    const { schema: top, plan } = lowering.lowerRoot()
    return { schema: top, plan, changes: lowering.changes }
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    return tooDeep(rules)
  }
}

/** A schema that is nested too deeply to be followed: any object, or any value as text. */
function tooDeep(rules: SchemaRules): Result {
  const changes: readonly Change[] = [{ path: [], keyword: 'type', how: 'dropped', isPoor: true }]
  if (rules.kind === 'open' || !rules.isStrict)
    return { schema: { type: 'object' }, plan: undefined, changes }
  const value = { type: 'string', description: '(any JSON value, written as JSON text)' }
  return {
    schema: {
      type: 'object',
      properties: { value },
      required: ['value'],
      additionalProperties: false,
    },
    plan: { kind: 'wrapped', name: 'value', plan: { kind: 'text' } },
    changes,
  }
}

function reported(changes: readonly Change[]): readonly SchemaChange[] {
  const byPlace = new Map(
    changes.map(({ path, keyword, how }) => {
      const change: SchemaChange = { path: pathText(path), keyword, how }
      return [JSON.stringify(change), change]
    }),
  )
  return [...byPlace.values()]
}
