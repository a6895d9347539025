/** A tool's declared output: its JSON Schema for the definition, and the check of what comes back. */
import { checkStandard } from '../schema/check-standard.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { CheckResult } from '../schema/schema-checker.ts'
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts'
import { plainJsonSchema } from '../schema/plain-json-schema.ts'

type Check = (value: unknown) => CheckResult | Promise<CheckResult>

export interface DeclaredOutput {
  readonly jsonSchema: JsonSchema
  readonly check: Check
}

export const outputOf = (schema: StandardSchema | JsonSchema): DeclaredOutput => ({
  jsonSchema: plainJsonSchema(schema, 'output'),
  check: checkOf(schema),
})

/** A check of what the program itself made: nothing is coerced. */
export function checkOf(schema: StandardSchema | JsonSchema): Check {
  if (isStandardSchema(schema)) return (value) => checkStandard(schema, value)
  const checker = compileSchema(schema, { coerce: false })
  return (value) => checker.check(value)
}
