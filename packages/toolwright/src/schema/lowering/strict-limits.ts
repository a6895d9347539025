/** How large a schema may be that OpenAI holds a model to. Beyond, it refuses the request. */
import { isObject, type JsonObject } from '../json-object.ts'
import { holdsByName, holdsSchemas } from '../subschemas.ts'

const MOST_PROPERTIES = 5000
const MOST_LEVELS = 10
const MOST_CONSTANTS = 1000
/** Characters of all names and constants. */
const MOST_CHARACTERS = 120_000
/** One `enum` of more values than this has a limit of its own. */
const LONG_ENUM = 250
const LONG_ENUM_CHARACTERS = 15_000

export function isWithinStrictLimits(schema: JsonObject): boolean {
  let properties = 0
  let constants = 0
  let characters = 0
  const todo: { readonly schema: JsonObject; readonly level: number }[] = [{ schema, level: 0 }]
  for (let next = todo.pop(); next; next = todo.pop()) {
    const names = ['properties', '$defs'].flatMap((keyword) => namesUnder(next!.schema, keyword))
    properties += namesUnder(next.schema, 'properties').length
    const listed = constantsOf(next.schema)
    constants += listed.length
    const texts = listed.map((each) => (typeof each === 'string' ? each : ''))
    characters += lengthOf(names) + lengthOf(texts)
    const isLong = listed.length > LONG_ENUM && lengthOf(texts) > LONG_ENUM_CHARACTERS
    if (isLong || next.level > MOST_LEVELS) return false
    todo.push(...innerOf(next.schema, next.level))
  }
  return (
    properties <= MOST_PROPERTIES && constants <= MOST_CONSTANTS && characters <= MOST_CHARACTERS
  )
}

function namesUnder(schema: JsonObject, keyword: string): readonly string[] {
  return isObject(schema[keyword]) ? Object.keys(schema[keyword]) : []
}

function constantsOf({ enum: members, const: constant }: JsonObject): readonly unknown[] {
  if (Array.isArray(members)) return members
  return constant === undefined ? [] : [constant]
}

const lengthOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length, 0)

/** A level is an object or a list inside another; alternatives and definitions are none. */
function innerOf(
  schema: JsonObject,
  level: number,
): readonly { readonly schema: JsonObject; readonly level: number }[] {
  return Object.entries(schema).flatMap(([keyword, operand]) => {
    if (!holdsSchemas(keyword)) return []
    const inner = holdsByName(keyword) ? Object.values(Object(operand) as object) : [operand].flat()
    const deeper =
      keyword === '$defs' ? 0 : level + (/^(?:properties|items)$/.test(keyword) ? 1 : 0)
    return inner.filter(isObject).map((each) => ({ schema: each, level: deeper }))
  })
}
