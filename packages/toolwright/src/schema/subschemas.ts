/** Finds the schemas inside a schema. */
import { isObject, type JsonObject } from './json-object.ts'

const BY_NAME = /^(?:\$defs|definitions|properties|patternProperties|dependentSchemas)$/
const ONE_OR_LIST =
  /^(?:allOf|anyOf|oneOf|prefixItems|items|additionalItems|contains|additionalProperties|propertyNames|unevaluatedItems|unevaluatedProperties|not|if|then|else|contentSchema)$/

/** Whether a keyword holds schemas under names that the author chooses. */
export const holdsByName = (keyword: string): boolean => BY_NAME.test(keyword)

export function holdsSchemas(keyword: string): boolean {
  return BY_NAME.test(keyword) || ONE_OR_LIST.test(keyword)
}

/** Returns the replacement of a schema directly under `keyword`, or under `keyword/name`. */
type Change = (schema: unknown, keyword: string, name: string) => unknown

/** Replaces each schema directly inside a schema by what `change` returns. */
export function mapSubschemas(schema: JsonObject, change: Change): JsonObject {
  return mapEntries(schema, (value, keyword) => {
    if (BY_NAME.test(keyword) && isObject(value)) {
      return mapEntries(value, (inner, name) => change(inner, keyword, name))
    }
    if (!ONE_OR_LIST.test(keyword)) return value
    return Array.isArray(value)
      ? value.map((inner) => change(inner, keyword, ''))
      : change(value, keyword, '')
  })
}

function mapEntries(
  object: JsonObject,
  change: (value: unknown, key: string) => unknown,
): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
}
