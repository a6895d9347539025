/** Which kind of field shows a schema. */
import type { Json, JsonSchema, JsonSchemaNode, JsonSchemaType } from 'toolwright'
import { choiceIn, type ChoiceOption } from './choice-options.ts'
import { typesOf } from './merge-schemas.ts'
import { resolveSchema } from './resolve-schema.ts'
import { unionOf, type UnionOption } from './union-options.ts'

export interface Property {
  readonly name: string
  readonly node: JsonSchemaNode
  readonly isRequired: boolean
}

export type TextInput =
  'line' | 'long' | 'password' | 'date' | 'date-time' | 'time' | 'email' | 'uri'

export type FieldKind =
  /** There is no form for it: it is written as JSON. */
  | { readonly kind: 'json' }
  | { readonly kind: 'const'; readonly value: Json }
  | { readonly kind: 'choice'; readonly options: readonly ChoiceOption[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly isInteger: boolean }
  | { readonly kind: 'text'; readonly input: TextInput }
  | { readonly kind: 'array'; readonly items: JsonSchemaNode }
  /** `more`: the schema of what has other names; missing: there is nothing else. */
  | {
      readonly kind: 'object'
      readonly properties: readonly Property[]
      readonly more?: JsonSchemaNode
    }
  | { readonly kind: 'union'; readonly options: readonly UnionOption[] }

export interface FieldShape {
  /** Resolved, and without its null. */
  readonly schema: JsonSchema
  readonly kind: FieldKind
  readonly isNullable: boolean
}

export function fieldShape(node: JsonSchemaNode | undefined, root: JsonSchema): FieldShape {
  const whole = resolveSchema(node, root)
  const schema = withoutNull(whole, root)
  return {
    schema: schema ?? whole,
    kind: kindOf(schema ?? whole, root),
    isNullable: schema !== undefined,
  }
}

function kindOf(schema: JsonSchema, root: JsonSchema): FieldKind {
  if (schema.const !== undefined) return { kind: 'const', value: schema.const }
  const choice = choiceIn(schema, root)
  if (choice) {
    return choice.length === 1 && schema.enum
      ? { kind: 'const', value: choice[0]!.value }
      : { kind: 'choice', options: choice }
  }
  const union = unionOf(schema, root)
  if (union) return { kind: 'union', options: union }
  const type = typeOf(schema)
  return type === undefined || schema.not !== undefined ? { kind: 'json' } : BY_TYPE[type](schema)
}

const BY_TYPE: { readonly [type in JsonSchemaType]: (schema: JsonSchema) => FieldKind } = {
  string: (schema) => ({ kind: 'text', input: textInput(schema) }),
  number: () => ({ kind: 'number', isInteger: false }),
  integer: () => ({ kind: 'number', isInteger: true }),
  boolean: () => ({ kind: 'boolean' }),
  null: () => ({ kind: 'const', value: null }),
  array: ({ items, prefixItems }) =>
    prefixItems ? { kind: 'json' } : { kind: 'array', items: items ?? {} },
  object: objectKind,
}

const FORMATS: { readonly [format: string]: TextInput } = {
  date: 'date',
  'date-time': 'date-time',
  time: 'time',
  email: 'email',
  uri: 'uri',
  password: 'password',
}
const LONG_FROM = 200

function textInput({
  format,
  maxLength,
  contentMediaType,
  contentEncoding,
}: JsonSchema): TextInput {
  const input = FORMATS[format ?? '']
  if (input) return input
  return (maxLength ?? 0) > LONG_FROM || contentMediaType || contentEncoding ? 'long' : 'line'
}

function objectKind({ properties, required = [], additionalProperties }: JsonSchema): FieldKind {
  const shown = Object.entries(properties ?? {}).map(([name, node]) => ({
    name,
    node,
    isRequired: required.includes(name),
  }))
  const unnamed = required
    .filter((name) => properties?.[name] === undefined)
    .map((name) => ({ name, node: additionalProperties ?? {}, isRequired: true }))
  // Without a word about its properties an object may have any.
  const more = additionalProperties ?? (properties ? false : true)
  return {
    kind: 'object',
    properties: [...shown, ...unnamed],
    ...(more === false ? {} : { more: more === true ? {} : more }),
  }
}

/** Types may go without saying. */
function typeOf(schema: JsonSchema): JsonSchemaType | undefined {
  const types = typesOf(schema)
  if (types) return types.length === 1 ? types[0] : undefined
  if (schema.properties || schema.additionalProperties || schema.required) return 'object'
  if (schema.items || schema.prefixItems) return 'array'
  if (schema.pattern || schema.format || schema.minLength || schema.maxLength) return 'string'
  return schema.minimum !== undefined || schema.maximum !== undefined ? 'number' : undefined
}

/** The schema without the null that it allows; undefined: it allows none, or nothing else. */
function withoutNull(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const types = typesOf(schema)
  if (types && types.length > 1 && types.includes('null')) {
    const rest = types.filter((type) => type !== 'null')
    return {
      ...schema,
      type: rest.length === 1 ? rest[0] : rest,
      ...(schema.enum ? { enum: schema.enum.filter((value) => value !== null) } : {}),
    }
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const members = schema[keyword]
    const rest = members?.filter((member) => !isNull(resolveSchema(member, root)))
    if (!members || !rest || rest.length === 0 || rest.length === members.length) continue
    const { [keyword]: _, ...own } = schema
    return rest.length === 1
      ? resolveSchema({ ...own, allOf: [rest[0]!] }, root)
      : { ...own, [keyword]: rest }
  }
  return undefined
}

const isNull = ({ type, const: only }: JsonSchema): boolean => type === 'null' || only === null
