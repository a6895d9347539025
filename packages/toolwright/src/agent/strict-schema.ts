/**
 * A schema as strict structured-output modes want it: every object closed, every property required, and
 * those that were optional nullable. What a model answers to it is read back by `withoutNulls`.
 */
import { has, isObject, type JsonObject } from '../schema/json-object.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { mapSubschemas } from '../schema/subschemas.ts'
import { nullableSchema } from './nullable-schema.ts'

export const strictSchema = (schema: JsonSchema): JsonSchema => strictNode(schema) as JsonSchema

function strictNode(node: unknown): unknown {
  if (!isObject(node)) return node
  const inner = mapSubschemas(node, strictNode)
  const { properties } = inner
  if (!isObject(properties)) return inner
  const required: readonly unknown[] = Array.isArray(node.required) ? node.required : []
  const all = Object.entries(properties).map(([name, property]) => [
    name,
    required.includes(name) || !isObject(property)
      ? property
      : nullableSchema(property as JsonSchema),
  ])
  return {
    ...inner,
    properties: Object.fromEntries(all) as JsonObject,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

/** The value without the nulls that only stand for what was left out. `schema` is the one before strictness. */
export function withoutNulls(value: unknown, schema: unknown, root: JsonSchema): unknown {
  const node = followed(schema, root)
  if (!node) return value
  const branches = [node.anyOf, node.oneOf].find(Array.isArray) as readonly unknown[] | undefined
  if (branches) {
    const fitting = branches.find((branch) => mayBe(value, followed(branch, root)))
    return fitting === undefined ? value : withoutNulls(value, fitting, root)
  }
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, node.items, root))
  if (!isObject(value) || !isObject(node.properties)) return value
  return withoutNullMembers(value, node, root)
}

function withoutNullMembers(value: JsonObject, node: JsonObject, root: JsonSchema): JsonObject {
  const properties = node.properties as JsonObject
  const required: readonly unknown[] = Array.isArray(node.required) ? node.required : []
  const kept = Object.entries(value).filter(
    ([name, member]) => member !== null || required.includes(name) || !has(properties, name),
  )
  return Object.fromEntries(
    kept.map(([name, member]) => [
      name,
      withoutNulls(member, has(properties, name) ? properties[name] : true, root),
    ]),
  )
}

function followed(schema: unknown, root: JsonSchema): JsonObject | undefined {
  if (!isObject(schema)) return undefined
  const name =
    typeof schema.$ref === 'string' ? /^#\/\$defs\/(.+)$/.exec(schema.$ref)?.[1] : undefined
  return name === undefined
    ? schema
    : followed(root.$defs?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], root)
}

/** Whether a value can be meant for a branch: constants agree, and what is required is there. */
function mayBe(value: unknown, branch: JsonObject | undefined): boolean {
  if (!branch) return true
  const types = [branch.type].flat()
  if (value === null) return types.includes('null')
  if (!isObject(value)) return !types.includes('object')
  const properties = isObject(branch.properties) ? branch.properties : {}
  const required: readonly unknown[] = Array.isArray(branch.required) ? branch.required : []
  return (
    (types.includes('object') || branch.type === undefined) &&
    required.every((name) => has(value, name as string)) &&
    Object.entries(properties).every(
      ([name, node]) => !isObject(node) || node.const === undefined || value[name] === node.const,
    )
  )
}
