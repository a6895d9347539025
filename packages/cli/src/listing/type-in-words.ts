/** Describes a JSON Schema in a few words, for a listing: `string (date-time)`, `"c" | "f"`, `integer[]`. */
import type { JsonSchema, JsonSchemaNode } from 'toolwright'

/** A property of an object schema. */
export interface Property {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: JsonSchemaNode
}

const DEEPEST = 4

/** `root` is the schema with the `$defs`. */
export function typeInWords(node: JsonSchemaNode, root: JsonSchema, depth = 0): string {
  if (typeof node === 'boolean') return node ? 'anything' : 'nothing'
  const schema = node as JsonSchema
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) || 'the same again'
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    if (depth >= DEEPEST) return '...'
    return choices.map((choice) => typeInWords(choice, root, depth + 1)).join(' | ')
  }
  return [schema.type ?? 'anything']
    .flat()
    .map((type) => oneType(type, schema, { root, depth }))
    .join(' | ')
}

interface Around {
  readonly root: JsonSchema
  readonly depth: number
}

function oneType(type: string, schema: JsonSchema, { root, depth }: Around): string {
  if (type === 'array') return arrayInWords(schema, { root, depth })
  const notes = [schema.format, rangeInWords(schema)].filter(Boolean)
  return notes.length === 0 || type === 'null' ? type : `${type} (${notes.join(', ')})`
}

function arrayInWords({ items }: JsonSchema, { root, depth }: Around): string {
  if (items === undefined || depth >= DEEPEST) return 'array'
  const inner = typeInWords(items as JsonSchemaNode, root, depth + 1)
  return inner.includes(' ') ? `(${inner})[]` : `${inner}[]`
}

function rangeInWords({ minimum, maximum }: JsonSchema): string | undefined {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `at least ${minimum}`
  return maximum === undefined ? undefined : `at most ${maximum}`
}

/** The properties of an object, of the schema it refers to, or of a list's elements. */
export function propertiesOf(node: JsonSchemaNode, root: JsonSchema): readonly Property[] {
  const { properties, required = [], items } = resolved(node, root)
  if (properties === undefined)
    return items === undefined ? [] : propertiesOf(items as JsonSchemaNode, root)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    schema: schema as JsonSchemaNode,
  }))
}

/** The description of a property: its own, or that of the schema it refers to. */
export const descriptionOf = (node: JsonSchemaNode, root: JsonSchema): string | undefined =>
  (node as JsonSchema).description ?? resolved(node, root).description

/** Follows one reference into the `$defs`; one that cannot be followed gives an empty schema. */
function resolved(node: JsonSchemaNode, root: JsonSchema): JsonSchema {
  if (typeof node === 'boolean') return {}
  const [, name] = /^#\/\$defs\/(.+)$/.exec((node as JsonSchema).$ref ?? '') ?? []
  return name === undefined ? node : ((root.$defs?.[name] ?? {}) as JsonSchema)
}
