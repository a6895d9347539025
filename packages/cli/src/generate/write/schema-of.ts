/**
 * Writes the JSON Schema of a shape. A type that is used more than once, or contains itself, is defined
 * once under `$defs`; short types are written in place.
 */
import type { Definition, JsonValue, MapShape, Notes, ObjectShape, Property, Shape, TupleShape } from '../shape/shape.ts' // prettier-ignore
import { definitionsIn, isTextKey } from '../shape/shape-walk.ts'

export type Schema = { readonly [keyword: string]: JsonValue }

export interface SchemaOptions {
  /**
   * `input`: closed objects. `output`: open objects, because a result may have more properties than its
   * type says.
   */
  readonly mode: 'input' | 'output'
}

/** A whole schema, including its definitions. */
export function schemaOf(shape: Shape, options: SchemaOptions): Schema {
  const references = referencesIn(shape)
  const writer = new SchemaWriter(references, options)
  const schema = writer.schema(shape)
  if (references.size === 0) return schema
  const definitions = [...references].map(([definition, name]): [string, JsonValue] => [
    name,
    writer.define(definition),
  ])
  return { ...schema, $defs: Object.fromEntries(definitions) }
}

/** The types that are defined once, with their names. */
export function referencesIn(shape: Shape): ReadonlyMap<Definition, string> {
  const names = new Map<Definition, string>()
  for (const [definition, uses] of definitionsIn(shape)) {
    if (!definition.recursive && (uses < 2 || isShort(definition.shape))) continue
    const taken = [...names.values()]
    let name = definition.name
    for (let count = 2; taken.includes(name); count++) name = `${definition.name}${count}`
    names.set(definition, name)
  }
  return names
}

/** Two or three plain properties are as short as a reference. */
const isShort = (shape: Shape): boolean =>
  shape.kind === 'object'
    ? shape.properties.length < 3 && shape.properties.every(({ shape: { kind } }) => kind !== 'named' && kind !== 'object') // prettier-ignore
    : shape.kind !== 'union'

const INTEGERS = '^-?\\d+$'
const SIMPLE: { readonly [kind: string]: Schema } = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
  undefined: { type: 'null' },
  date: { type: 'string', format: 'date-time' },
  url: { type: 'string', format: 'uri' },
  unknown: {},
  json: {},
  'any-object': { type: 'object' },
}

// Whole bytes, padded or not, so that decoding cannot fail later.
const BYTES = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$'
const BASE64: Schema = { type: 'string', contentEncoding: 'base64' }
/** Types whose schema differs between input and output. */
const BY_MODE: { readonly [kind: string]: { readonly [mode in SchemaOptions['mode']]: Schema } } = {
  bigint: {
    // A larger number has lost digits on its way; as text it has not.
    input: {
      type: ['string', 'integer'],
      pattern: INTEGERS,
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    output: { type: 'string', pattern: INTEGERS },
  },
  bytes: { input: { ...BASE64, pattern: BYTES }, output: BASE64 },
}

class SchemaWriter {
  readonly #references: ReadonlyMap<Definition, string>
  readonly #mode: SchemaOptions['mode']

  constructor(references: ReadonlyMap<Definition, string>, { mode }: SchemaOptions) {
    this.#references = references
    this.#mode = mode
  }

  define({ shape, notes }: Definition): Schema {
    return withNotes(this.schema(shape), notes)
  }

  schema(shape: Shape): Schema {
    if (shape.kind === 'named') return this.#named(shape.definition)
    if (shape.kind === 'template')
      return { type: 'string', ...(shape.pattern !== undefined && { pattern: shape.pattern }) }
    if (shape.kind === 'literals') return literals(shape.values)
    if (shape.kind === 'enum') return enumeration(shape)
    if (shape.kind === 'array') return { type: 'array', items: this.schema(shape.item) }
    if (shape.kind === 'set')
      return { type: 'array', items: this.schema(shape.item), uniqueItems: true }
    if (shape.kind === 'map') return this.#map(shape)
    if (shape.kind === 'tuple') return this.#tuple(shape)
    if (shape.kind === 'record')
      return {
        type: 'object',
        ...(shape.keyPattern !== undefined && { propertyNames: { pattern: shape.keyPattern } }),
        additionalProperties: this.schema(shape.value),
      }
    if (shape.kind === 'object') return this.#object(shape)
    if (shape.kind === 'union') return alternatives(shape.members.map((one) => this.schema(one)))
    const kind = shape.kind === 'buffer' ? 'bytes' : shape.kind
    return BY_MODE[kind]?.[this.#mode] ?? SIMPLE[kind]!
  }

  #named(definition: Definition): Schema {
    const name = this.#references.get(definition)
    return name === undefined
      ? this.define(definition)
      : { $ref: `#/$defs/${escapedPointer(name)}` }
  }

  #map({ key, value }: MapShape): Schema {
    const pairs: Schema = {
      type: 'array',
      items: {
        type: 'array',
        prefixItems: [this.schema(key), this.schema(value)],
        items: false,
        minItems: 2,
      },
    }
    const keys: Schema = key.kind === 'string' ? {} : { propertyNames: this.schema(key) }
    const object: Schema = { type: 'object', ...keys, additionalProperties: this.schema(value) }
    if (isTextKey(key)) return object
    // An empty map does not show the type of its keys: its JSON is an empty object.
    return this.#mode === 'input' ? pairs : { anyOf: [pairs, { type: 'object' }] }
  }

  #tuple({ items, rest }: TupleShape): Schema {
    const least = items.filter(({ optional }) => !optional).length
    return {
      type: 'array',
      prefixItems: items.map(({ shape }) => this.schema(shape)),
      items: rest ? this.schema(rest) : false,
      ...(least > 0 && { minItems: least }),
    }
  }

  #object({ properties, others }: ObjectShape): Schema {
    const required = properties.filter(({ optional }) => !optional).map(({ name }) => name)
    const open: Schema = others ? { additionalProperties: this.schema(others) } : {}
    return {
      type: 'object',
      properties: Object.fromEntries(properties.map((one) => [one.name, this.#property(one)])),
      ...(required.length > 0 && { required }),
      ...(this.#mode === 'input' ? { additionalProperties: false, ...open } : open),
    }
  }

  #property({ shape, notes }: Property): Schema {
    return withNotes(this.schema(shape), notes)
  }
}

/**
 * Adds notes after the keywords of the type. For an object the description comes first, before the long
 * part.
 */
function withNotes(schema: Schema, notes: Notes): Schema {
  const { type, description: own, ...rest } = schema
  const { description: said, ...others } = notes
  const isNames = typeof own === 'string' && schema.enum !== undefined && said !== undefined
  const description = isNames ? `${String(said)} (${own})` : (said ?? own)
  const described: Schema = description === undefined ? {} : { description }
  const typed: Schema = type === undefined ? {} : { type }
  return schema.properties
    ? { ...typed, ...described, ...rest, ...others }
    : { ...typed, ...rest, ...others, ...described }
}

function literals(values: readonly (string | number | boolean)[]): Schema {
  const types = [...new Set(values.map((value) => typeof value))]
  const type: Schema = types.length === 1 ? { type: types[0]! } : {}
  return values.length === 1 ? { ...type, const: values[0]! } : { ...type, enum: values }
}

/** Numbers alone mean nothing to a model, so their names go into the description. */
function enumeration({ members }: Extract<Shape, { kind: 'enum' }>): Schema {
  const schema = literals(members.map(({ value }) => value))
  const isNumeric = members.some(({ value }) => typeof value === 'number')
  const names = members.map(({ name, value }) => `${value} = ${name}`).join(', ')
  return isNumeric ? { ...schema, description: names } : schema
}

/** Plain types are combined into one list; anything else becomes alternatives. */
function alternatives(schemas: readonly Schema[]): Schema {
  const isBare = schemas.every((schema) => Object.keys(schema).join() === 'type')
  const types = new Set(schemas.flatMap(({ type }) => type as string))
  return isBare ? { type: [...types] } : { anyOf: schemas }
}

const escapedPointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
