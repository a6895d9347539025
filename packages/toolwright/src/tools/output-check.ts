/** A tool's declared output: its JSON Schema for the definition, and the check of the result. */
import { checkKeywords } from '../schema/check-keywords.ts'
import { checkStandard } from '../schema/check-standard.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { describeValue } from '../schema/describe-value.ts'
import { invalidSchema } from '../schema/invalid-schema.ts'
import { isObject } from '../schema/json-object.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { CheckResult } from '../schema/schema-checker.ts'
import { jsonOf } from './result-converter.ts'
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts'
import { plainJsonSchema } from '../schema/plain-json-schema.ts'

type Check = (value: unknown) => CheckResult | Promise<CheckResult>

export interface DeclaredOutput {
  readonly jsonSchema: JsonSchema
  readonly check: Check
}

export const outputOf = (schema: StandardSchema | JsonSchema): DeclaredOutput => ({
  jsonSchema: plainJsonSchema(schema, 'output'),
  check: isStandardSchema(schema) ? checkOf(schema) : jsonCheckOf(schema),
})

/** A JSON Schema describes JSON: a date is checked as the text it becomes, but returned as a date. */
function jsonCheckOf(schema: JsonSchema): Check {
  checkKeywords(schema)
  const { check } = compileSchema(schema, { coerce: false })
  return (value) => {
    const checked = check(value)
    const asJson = checked.ok ? checked : check(jsonOf(value))
    return asJson.ok ? { ok: true, value } : asJson
  }
}

/** Checks a value that the program itself made, so nothing is coerced. */
export function checkOf(schema: StandardSchema | JsonSchema): Check {
  if (isStandardSchema(schema)) return (value) => checkStandard(schema, value)
  if (!isObject(schema)) throw invalidSchema(`A schema is an object, not ${describeValue(schema)}.`)
  checkKeywords(schema)
  const checker = compileSchema(schema, { coerce: false })
  return (value) => checker.check(value)
}
