/** A tool's declared output: its JSON Schema for the definition, and the check of what comes back. */
import { checkStandard } from '../schema/check-standard.ts'
import { compileSchema } from '../schema/compile-schema.ts'
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

/** A JSON Schema speaks of JSON: a date fits it as the text it becomes, and stays a date. */
function jsonCheckOf(schema: JsonSchema): Check {
  const { check } = compileSchema(schema, { coerce: false })
  return (value) => {
    const checked = check(value)
    const asJson = checked.ok ? checked : check(jsonOf(value))
    return asJson.ok ? { ok: true, value } : asJson
  }
}

/** A check of what the program itself made: nothing is coerced. */
export function checkOf(schema: StandardSchema | JsonSchema): Check {
  if (isStandardSchema(schema)) return (value) => checkStandard(schema, value)
  const checker = compileSchema(schema, { coerce: false })
  return (value) => checker.check(value)
}
