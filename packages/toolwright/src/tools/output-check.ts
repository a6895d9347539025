/** A tool's declared output: its JSON Schema for the definition, and the check of what comes back. */
import { checkStandard } from '../schema/check-standard.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { CheckResult } from '../schema/schema-checker.ts'
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts'
import { toJsonSchema } from '../schema/to-json-schema.ts'

export interface DeclaredOutput {
  readonly jsonSchema: JsonSchema
  readonly check: (result: unknown) => CheckResult | Promise<CheckResult>
}

export function outputOf(schema: StandardSchema | JsonSchema): DeclaredOutput {
  const jsonSchema = toJsonSchema(schema, { io: 'output' })
  if (isStandardSchema(schema))
    return { jsonSchema, check: (result) => checkStandard(schema, result) }
  const checker = compileSchema(schema, { coerce: false })
  return { jsonSchema, check: (result) => checker.check(result) }
}
