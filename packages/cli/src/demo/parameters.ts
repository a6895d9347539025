/** The parameters of a tool as a flat list, and arguments put together again from it. */
import type { Json, JsonObject, JsonSchema } from 'toolwright'
import { wordsOf } from './words.ts'

/** A parameter that takes one value, or a list of such values. */
export interface Parameter {
  readonly path: readonly string[]
  /** Without references and without null. */
  readonly schema: JsonSchema
  readonly required: boolean
  readonly many: boolean
  /** The words of its name, and of its description. */
  readonly name: ReadonlySet<string>
  readonly about: ReadonlySet<string>
}

const DEEPEST = 6

export function parametersOf(root: JsonSchema): readonly Parameter[] {
  const walk = (node: unknown, path: readonly string[], required: boolean): Parameter[] => {
    const schema = plain(node, root)
    if (schema.properties && path.length < DEEPEST)
      return Object.entries(schema.properties).flatMap(([name, child]) =>
        walk(child, [...path, name], required && !!schema.required?.includes(name)),
      )
    const many = schema.type === 'array'
    const item = many ? plain(schema.items, root) : schema
    const about = [schema.description, schema.title, many && item.description].join(' ')
    const words = { name: new Set(wordsOf(path.join(' '))), about: new Set(wordsOf(about)) }
    return path.length > 0 ? [{ path, schema: item, required, many, ...words }] : []
  }
  return walk(root, [], true)
}

/** A schema without its references, without null, and of its choices the first. */
function plain(node: unknown, root: JsonSchema, depth = 0): JsonSchema {
  const { $ref, anyOf, oneOf, allOf, ...schema } = Object(node) as JsonSchema
  const choices = anyOf ?? oneOf ?? allOf ?? []
  const next = $ref ? referred($ref, root) : choices.find((choice) => !isNull(choice))
  if (next && depth < DEEPEST) return { ...plain(next, root, depth + 1), ...schema }
  const type = [schema.type].flat().find((each) => each !== 'null')
  return { ...schema, ...(type && { type }) }
}

const isNull = (schema: object | boolean): boolean => Object(schema).type === 'null'

const referred = ($ref: string, root: JsonSchema): unknown =>
  $ref
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .reduce((node: unknown, key) => Object(node)[decodeURIComponent(key)], root)

export function withValueAt(object: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [name, ...rest] = path
  const inner = rest.length > 0 ? withValueAt(Object(object[name!]), rest, value) : value
  return { ...object, [name!]: inner }
}

export interface Completed {
  readonly value: JsonObject
  /** Paths of what is required and not there. */
  readonly missing: readonly (readonly string[])[]
}

/** Adds what a schema gives by itself: defaults, the only possible value, empty objects. */
export function completed(node: unknown, value: JsonObject, root = node as JsonSchema): Completed {
  const { properties = {}, required = [] } = plain(node, root)
  const missing: (readonly string[])[] = []
  const entries = Object.entries(properties).flatMap(([name, child]): [string, Json][] => {
    const schema = plain(child, root)
    const needed = required.includes(name)
    const given = value[name] ?? (needed ? givenBy(schema) : undefined)
    if (given === undefined && needed) missing.push([name])
    if (given === undefined) return []
    if (!schema.properties) return [[name, given]]
    const inner = completed(child, given as JsonObject, root)
    missing.push(...inner.missing.map((path) => [name, ...path]))
    return [[name, inner.value]]
  })
  return { value: Object.fromEntries(entries), missing }
}

function givenBy(schema: JsonSchema): Json | undefined {
  const [only, ...others] = schema.enum ?? []
  if (schema.default !== undefined || schema.const !== undefined)
    return schema.default ?? schema.const
  if (only !== undefined && others.length === 0) return only
  return schema.properties ? {} : undefined
}
