/**
 * What `tool()` keeps beside the public callback, so that the runner can pass the checked value instead of
 * JSON text. It is found by a registered symbol, so that two copies of the package recognise each other's
 * tools.
 */
import type { CompiledInput } from '../schema/input-schema.ts'
import type { CheckResult } from '../schema/schema-checker.ts'
import type { ConvertedTool, ToolCallback, ToolCallResultConverter } from './tool-callback.ts'
import type { ToolContext } from './tool-context.ts'

export const TOOL_BODY: unique symbol = Symbol.for('toolwright.tool-body') as never

export interface ToolBody {
  readonly input: CompiledInput
  /** Runs with a checked input. Yields are progress; the returned or resolved value is the result. */
  readonly run: (input: unknown, context: ToolContext) => unknown
  readonly convert: ToolCallResultConverter
  /** `convert` is the default conversion, of whichever copy of the package. */
  readonly isPlain?: boolean | undefined
  /** The declared output, as it was written. */
  readonly output?: ConvertedTool['output']
  /** Checks a result against the declared output. */
  readonly checkOutput?: (result: unknown) => CheckResult | Promise<CheckResult>
  /** Picks and checks the declared keys of the request's tool context. Throws `ConfigurationError`. */
  readonly pickContext?: (values: { readonly [key: string]: unknown }) => object | Promise<object>
  /** Returns the same tool under another name. For records, whose keys name the tools that have no name. */
  readonly renamed: (name: string) => ToolCallback
}

export function bodyOf(callback: ToolCallback): ToolBody | undefined {
  return (callback as { readonly [TOOL_BODY]?: ToolBody })[TOOL_BODY]
}
