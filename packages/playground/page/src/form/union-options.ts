/** The schemas of which one holds, with a name for each. */
import type { JsonSchema, JsonSchemaType } from 'toolwright'
import { valueLabel } from './choice-options.ts'
import { mergeSchemas, typesOf } from './merge-schemas.ts'
import { resolveSchema } from './resolve-schema.ts'

export interface UnionOption {
  readonly label: string
  readonly schema: JsonSchema
}

const TYPE_NAMES: { readonly [type in JsonSchemaType]: string } = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'True or false',
  null: 'null',
  array: 'List',
  object: 'Object',
}
/** What a member must have to be another form than the others; `required` alone is not enough. */
const SHAPES = [
  'type',
  'properties',
  'items',
  'prefixItems',
  'enum',
  'const',
  'anyOf',
  'oneOf',
] as const

/** Undefined: the schema is no union, or one that makes no difference to a form. */
export function unionOf(schema: JsonSchema, root: JsonSchema): readonly UnionOption[] | undefined {
  const { anyOf, oneOf, description: _, ...own } = schema
  const shared = withoutWords(own)
  const members = (oneOf ?? anyOf)?.map((member) => resolveSchema(member, root))
  if (members && members.length > 0 && members.every(hasShape)) {
    const merged = members.map((member) => mergeSchemas(withoutWords(member), shared))
    return labelled(members, merged, root)
  }
  const types = typesOf(schema)
  if (!types || types.length < 2) return undefined
  return types.map((type) => ({ label: TYPE_NAMES[type], schema: { ...shared, type } }))
}

const hasShape = (member: JsonSchema): boolean => SHAPES.some((key) => member[key] !== undefined)

/** They are said once, above the union. */
function withoutWords({
  title: _,
  default: _default,
  examples: _examples,
  ...schema
}: JsonSchema): JsonSchema {
  return schema
}

function labelled(
  members: readonly JsonSchema[],
  merged: readonly JsonSchema[],
  root: JsonSchema,
): readonly UnionOption[] {
  const discriminator = discriminatorOf(members, root)
  const labels = members.map((member) => labelOf(member, discriminator, root))
  return merged.map((schema, index) => {
    const label = labels[index] ?? `Form ${index + 1}`
    const isTwice = labels.filter((each) => each === label).length > 1
    return { label: isTwice ? `${label} (${index + 1})` : label, schema }
  })
}

function labelOf(
  member: JsonSchema,
  discriminator: string | undefined,
  root: JsonSchema,
): string | undefined {
  if (member.title) return member.title
  if (member.const !== undefined) return valueLabel(member.const)
  if (discriminator !== undefined) {
    return valueLabel(constOf(member, discriminator, root)!)
  }
  const types = typesOf(member)
  if (types?.length === 1 && types[0] !== 'object') return TYPE_NAMES[types[0]!]
  const names = Object.keys(member.properties ?? {})
  if (names.length > 0) return `With ${names.slice(0, 3).join(', ')}`
  return types ? types.map((type) => TYPE_NAMES[type]).join(' or ') : undefined
}

/** The property that has another constant in each member. */
function discriminatorOf(members: readonly JsonSchema[], root: JsonSchema): string | undefined {
  return Object.keys(members[0]?.properties ?? {}).find((name) => {
    const values = members.map((member) => constOf(member, name, root))
    return (
      values.every((value) => value !== undefined) &&
      new Set(values.map((value) => JSON.stringify(value))).size === values.length
    )
  })
}

function constOf({ properties }: JsonSchema, name: string, root: JsonSchema) {
  const node = properties?.[name]
  if (node === undefined) return undefined
  const { const: only, enum: values } = resolveSchema(node, root)
  return only ?? (values?.length === 1 ? values[0] : undefined)
}
