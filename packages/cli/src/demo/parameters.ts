/** The parameters of a tool as a flat list, with the words that speak of them. */
import type { Json, JsonObject, JsonSchema } from 'toolwright'
import { wordsOf } from './words.ts'

/** A parameter that takes one value, or a list of such values. */
export interface Parameter {
  readonly path: readonly string[]
  /** Without references and without null; of a list, its items. */
  readonly schema: JsonSchema
  readonly required: boolean
  readonly many: boolean
  /** The words of its name, and of its description. */
  readonly name: ReadonlySet<string>
  readonly about: ReadonlySet<string>
}

const DEEPEST = 6

export function parametersOf(root: JsonSchema): readonly Parameter[] {
  const walk = (
    node: unknown,
    path: readonly string[],
    required: boolean,
  ): readonly Parameter[] => {
    const whole = plain(node, root)
    if ((whole.properties && path.length < DEEPEST) || path.length === 0)
      return Object.entries(whole.properties ?? {}).flatMap(([name, child]) =>
        walk(child, [...path, name], required && !!whole.required?.includes(name)),
      )
    const many = whole.type === 'array'
    const schema = many ? plain(whole.items, root) : whole
    const name = new Set(wordsOf(path.join(' ')))
    const about = new Set(wordsOf([whole.title, whole.description, schema.description].join(' ')))
    return [{ path, schema, required, many, name, about }]
  }
  return walk(root, [], true)
}

/** A schema without its references, without null, and of its choices the first. */
function plain(node: unknown, root: JsonSchema, depth = 0): JsonSchema {
  const { $ref, anyOf, oneOf, allOf, ...schema } = Object(node) as JsonSchema
  const choices = anyOf ?? oneOf ?? allOf ?? []
  const keys = $ref?.split('/').slice(1).map(decodeURIComponent)
  const next = keys
    ? keys.reduce((inner: unknown, key) => Object(inner)[key], root)
    : choices.find((choice) => Object(choice).type !== 'null')
  if (next && depth < DEEPEST) return { ...plain(next, root, depth + 1), ...schema }
  const type = [schema.type].flat().find((each) => each !== 'null')
  return { ...schema, ...(type && { type }) }
}

/** What a schema gives by itself: its default, or the only value it allows. */
export const givenBy = ({
  default: usual,
  const: only,
  enum: all = [],
}: JsonSchema): Json | undefined => usual ?? only ?? (all.length === 1 ? all[0] : undefined)

export function withValueAt(object: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [name, ...rest] = path as [string, ...string[]]
  const inner = Object(Object.hasOwn(object, name) ? object[name] : {}) as JsonObject
  return { ...object, [name]: rest.length > 0 ? withValueAt(inner, rest, value) : value }
}
