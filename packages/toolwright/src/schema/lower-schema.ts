/**
 * Converts a schema to the smaller dialect of a provider, and converts answers back. What the dialect does
 * not support goes into the description; the answer is checked against the full schema anyway. Only
 * adapters use this.
 */
import { isObject, valueAt, type JsonObject } from './json-object.ts'
import type { JsonSchema } from './json-schema.ts'
import { typesNamedBy } from './json-type.ts'

export interface SchemaDialect {
  /** Whether a keyword that only narrows (a length, a format) may be sent. */
  takes(keyword: string, operand: unknown): boolean
  /** Every property must be required; an optional one is made nullable instead. */
  readonly allRequired: boolean
  readonly recursion: boolean
}

/** Thrown when a schema cannot be lowered; the caller then takes another way, so no reason is needed. */
const UNFIT: unique symbol = Symbol('unfit')

/**
 * Returns undefined if the dialect cannot express the schema: maps, tuples, parts joined by `allOf`, values
 * of any type.
 */
export function lowerSchema(schema: JsonSchema, dialect: SchemaDialect): JsonSchema | undefined {
  try {
    const lowered = new Lowering(schema as JsonObject, dialect).lower(schema)
    return lowered.type === 'object' ? lowered : undefined
  } catch (thrown) {
    if (thrown === UNFIT || thrown instanceof RangeError) return undefined
    throw thrown
  }
}

/**
 * Removes the nulls that stand for missing optional properties. Returns the same object if there are none.
 */
export function raiseNulls(schema: JsonSchema, value: unknown): unknown {
  const root = schema as JsonObject
  return withoutNulls([root], value, root)
}

/** Keywords that are sent unchanged, or that are of no use to a model. */
const STRUCTURE =
  /^(?:type|properties|required|additionalProperties|unevaluatedProperties|items|anyOf|oneOf|allOf|enum|const|\$defs|definitions|description|\$schema|\$id|\$comment)$/
const CHANGES_MEANING = /^(?:patternProperties|prefixItems|\$dynamicRef|\$anchor|\$dynamicAnchor)$/
const ANNOTATION =
  /^(?:description|title|default|examples|deprecated|unevaluatedProperties|\$comment)$/
const REFERENCE = /^#(?:$|\/\$defs\/|\/definitions\/)/

class Lowering {
  readonly #root: JsonObject
  readonly #dialect: SchemaDialect
  /** The references on the way here, and those known not to recurse. */
  readonly #open = new Set<string>()
  readonly #ending = new Set<string>()

  constructor(root: JsonObject, dialect: SchemaDialect) {
    this.#root = root
    this.#dialect = dialect
  }

  lower(node: unknown): JsonObject {
    if (!isObject(node) || Object.keys(node).some((key) => CHANGES_MEANING.test(key))) throw UNFIT
    const { $ref, allOf, $defs, definitions } = node
    if ($ref !== undefined || allOf !== undefined) return this.#borrowed(node)
    return {
      ...this.#shape(node),
      ...this.#narrowed(node),
      ...(isObject($defs) && { $defs: this.#each($defs) }),
      ...(isObject(definitions) && { definitions: this.#each(definitions) }),
    }
  }

  /** Resolves a schema that only refers to another, perhaps with a description. */
  #borrowed({ $ref, allOf, ...own }: JsonObject): JsonObject {
    const isAnnotated = Object.keys(own).every((key) => ANNOTATION.test(key))
    const borrowed = [$ref ?? [], allOf ?? []].flat()
    if (!isAnnotated || borrowed.length !== 1) throw UNFIT
    return typeof $ref === 'string' ? this.#reference($ref) : this.lower(borrowed[0])
  }

  #reference($ref: string): JsonObject {
    if (!REFERENCE.test($ref)) throw UNFIT
    if (!this.#dialect.recursion && !this.#ending.has($ref)) {
      if (this.#open.has($ref)) throw UNFIT
      this.#open.add($ref)
      this.lower(targetOf(this.#root, $ref))
      this.#ending.add($ref)
    }
    return { $ref }
  }

  #shape(node: JsonObject): JsonObject {
    const union = node.anyOf ?? node.oneOf
    const types = typesNamedBy(node)
    if (Array.isArray(union)) {
      if (isObject(node.properties)) throw UNFIT
      return { anyOf: union.map((each) => this.lower(each)) }
    }
    if (!types) throw UNFIT
    const { enum: members, const: constant } = node
    if ([members, constant].flat().some((each) => typeof each === 'object' && each !== null))
      throw UNFIT
    return {
      type: types.length === 1 ? types[0] : types,
      ...(members !== undefined && { enum: members }),
      ...(constant !== undefined && { const: constant }),
      ...(types.includes('object') && this.#object(node)),
      ...(types.includes('array') && { items: this.lower(node.items) }),
    }
  }

  #object({ properties, required, additionalProperties = false }: JsonObject): JsonObject {
    if (!isObject(properties) || additionalProperties !== false) throw UNFIT
    const names = Object.keys(properties)
    const requiredNames = Array.isArray(required) ? required : []
    const lowered = this.#each(properties)
    if (!this.#dialect.allRequired)
      return {
        properties: lowered,
        ...(required !== undefined && { required }),
        additionalProperties,
      }
    const nullable = names.map((name) => {
      const isKept = requiredNames.includes(name) || acceptsNull(properties[name], this.#root)
      return [name, isKept ? lowered[name] : { anyOf: [lowered[name], { type: 'null' }] }] as const
    })
    return { properties: Object.fromEntries(nullable), required: names, additionalProperties }
  }

  #each(schemas: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.lower(schema)]),
    )
  }

  /** Sends the narrowing keywords that the dialect supports, and describes the others. */
  #narrowed(node: JsonObject): JsonObject {
    const sent: { [keyword: string]: unknown } = {}
    const notes: string[] = []
    for (const [keyword, operand] of Object.entries(node)) {
      if (STRUCTURE.test(keyword) || operand === undefined) continue
      if (this.#dialect.takes(keyword, operand)) sent[keyword] = operand
      else if (!saysNothingNew(node, keyword))
        notes.push(`${keyword}: ${typeof operand === 'string' ? operand : JSON.stringify(operand)}`)
    }
    const description = [node.description, notes.length > 0 && `(${notes.join(', ')})`].filter(
      Boolean,
    )
    return description.length > 0 ? { ...sent, description: description.join(' ') } : sent
  }
}

/** Whether a keyword adds nothing: the pattern of a format, or the limits of a safe integer. */
const saysNothingNew = (node: JsonObject, keyword: string): boolean =>
  (keyword === 'pattern' && node.format !== undefined) ||
  Math.abs(Number(node[keyword])) === Number.MAX_SAFE_INTEGER

function withoutNulls(schemas: readonly unknown[], value: unknown, root: JsonObject): unknown {
  const alternatives = schemas.flatMap((schema) => alternativesOf(schema, root))
  if (Array.isArray(value)) {
    const items = alternatives.map((schema) => schema.items)
    const inner = value.map((item) => withoutNulls(items, item, root))
    return inner.some((item, index) => item !== value[index]) ? inner : value
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const owners = alternatives.filter(({ properties }) => valueAt(properties, [key]) !== undefined)
    const isAbsent = (owner: JsonObject): boolean =>
      ![owner.required].flat().includes(key) && !acceptsNull(valueAt(owner.properties, [key]), root)
    if (inner === null && owners.length > 0 && owners.every(isAbsent)) return []
    const propertySchemas = owners.map(({ properties }) => valueAt(properties, [key]))
    return [[key, withoutNulls(propertySchemas, inner, root)] as const]
  })
  const isSame =
    entries.length === Object.keys(value).length &&
    entries.every(([key, inner]) => inner === value[key])
  return isSame ? value : Object.fromEntries(entries)
}

/** The schemas without alternatives of their own that a schema consists of. */
export function alternativesOf(
  schema: unknown,
  root: JsonObject,
  seen: ReadonlySet<unknown> = new Set(),
): readonly JsonObject[] {
  if (!isObject(schema) || seen.has(schema)) return []
  const { $ref, allOf, anyOf, oneOf } = schema
  const inner = typeof $ref === 'string' ? [targetOf(root, $ref)] : (anyOf ?? oneOf ?? allOf)
  if (!Array.isArray(inner)) return [schema]
  const visited = new Set([...seen, schema])
  return inner.flatMap((each: unknown) => alternativesOf(each, root, visited))
}

export function acceptsNull(schema: unknown, root: JsonObject): boolean {
  return alternativesOf(schema, root).some((each) => typesNamedBy(each)?.includes('null') ?? true)
}

const targetOf = (root: JsonObject, reference: string): unknown =>
  valueAt(root, reference.split('/').slice(1))
