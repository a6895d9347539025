/** Whether no value can fit two schemas, as far as that is easy to see. */
import { canonicalJson } from '../../internal/canonical-json.ts'
import { isObject, keysOf, valueAt, type JsonObject } from '../json-object.ts'
import { typesNamedBy } from '../json-type.ts'

/** @param follow the schema behind a reference; the given one if it is none */
export type Follow = (schema: JsonObject) => JsonObject

const DEEPEST = 4

/** False also when it is not known. */
export function areDisjoint(one: unknown, other: unknown, follow: Follow): boolean {
  return comparing(follow, 0)(one, other)
}

function comparing(follow: Follow, depth: number): (one: unknown, other: unknown) => boolean {
  const isApart = (one: unknown, other: unknown): boolean =>
    comparing(follow, depth + 1)(one, other)
  return (one, other) => {
    if (one === false || other === false) return true
    if (!isObject(one) || !isObject(other) || depth > DEEPEST) return false
    const [a, b] = [follow(one), follow(other)]
    for (const [schema, counterpart] of [
      [a, b],
      [b, a],
    ] as const) {
      const union = schema.anyOf ?? schema.oneOf
      if (Array.isArray(union)) return union.every((each) => isApart(each, counterpart))
    }
    return haveNoCommonType(a, b) || haveNoCommonConstant(a, b) || areApartObjects(a, b, isApart)
  }
}

function haveNoCommonType(a: JsonObject, b: JsonObject): boolean {
  const [one, other] = [typesNamedBy(a), typesNamedBy(b)]
  if (!one || !other) return false
  const widened = (types: readonly unknown[]): readonly unknown[] =>
    types.map((type) => (type === 'integer' ? 'number' : type))
  return !widened(one).some((type) => widened(other).includes(type))
}

function haveNoCommonConstant(a: JsonObject, b: JsonObject): boolean {
  const [one, other] = [constantsOf(a), constantsOf(b)]
  if (!one || !other) return false
  const known = new Set(one.map(canonicalJson))
  return !other.some((constant) => known.has(canonicalJson(constant)))
}

function constantsOf({
  const: constant,
  enum: members,
}: JsonObject): readonly unknown[] | undefined {
  if (constant !== undefined) return [constant]
  return Array.isArray(members) ? members : undefined
}

function areApartObjects(
  a: JsonObject,
  b: JsonObject,
  isApart: (x: unknown, y: unknown) => boolean,
): boolean {
  if (![a, b].every((schema) => schema.type === 'object')) return false
  return [
    [a, b],
    [b, a],
  ].some(([one, other]) =>
    requiredOf(one!).some((name) => {
      const theirs = valueAt(other!.properties, [name])
      if (theirs === undefined) return isClosed(other!)
      return isApart(valueAt(one!.properties, [name]) ?? true, theirs)
    }),
  )
}

function requiredOf({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** Whether an object may have no other names than those of its properties. */
function isClosed({ additionalProperties, patternProperties }: JsonObject): boolean {
  return additionalProperties === false && keysOf(patternProperties).length === 0
}
