/** A tool with another body, for tests that want a tool's definition and rules but not what it does. */
import { compileInput } from '../schema/input-schema.ts'
import { convertResult } from '../tools/result-converter.ts'
import { callDirectly, type FunctionToolCallback } from '../tools/tool.ts'
import { bodyOf, TOOL_BODY } from '../tools/tool-body.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolContext } from '../tools/tool-context.ts'

/**
 * The same tool, with its name, schema, hints, approval and limits, that runs `execute` instead of what it does. Its
 * arguments are checked as ever; the request's tool context and the tool's own converter are not used.
 *
 * @example
 * const offline = standIn(weather, ({ city }) => ({ city, degrees: 21 }))
 */
export function standIn(
  tool: ToolCallback,
  execute: (input: never, context: ToolContext) => unknown,
): ToolCallback {
  const { definition, metadata } = tool
  const body = bodyOf(tool)
  const callback: FunctionToolCallback = {
    definition,
    metadata,
    call: (text, context) => callDirectly(callback, text, context),
    [TOOL_BODY]: {
      input: body?.input ?? compileInput(definition.inputSchema),
      run: (input, context) => execute(input as never, context),
      convert: convertResult,
      hasOwnConverter: false,
      renamed: (name) =>
        standIn(body?.renamed(name) ?? { ...tool, definition: { ...definition, name } }, execute),
    },
  }
  return callback
}
