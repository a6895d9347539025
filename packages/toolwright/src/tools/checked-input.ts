/** The input of a tool from JSON, as a call checks it. */
import { compileInput } from '../schema/input-schema.ts'
import type { CheckResult } from '../schema/schema-checker.ts'
import { bodyOf } from './tool-body.ts'
import type { ToolCallback } from './tool-callback.ts'

/** A tool of `tool()` gets what its schema makes of the JSON; any other gets the JSON itself, coerced. */
export function checkedInput(
  tool: ToolCallback,
  value: unknown,
  text: string,
): CheckResult | Promise<CheckResult> {
  const body = bodyOf(tool)
  return body
    ? body.input.check(value, text)
    : compileInput(tool.definition.inputSchema).coerce(value)
}
