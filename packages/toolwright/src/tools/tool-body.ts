/**
 * What `tool()` keeps beside the public callback, so that the runner can hand it the checked value
 * directly instead of JSON text. Found by a registered symbol: two copies of the package understand
 * each other.
 */
import type { CompiledInput } from '../schema/input-schema.ts'
import type { CheckResult } from '../schema/schema-checker.ts'
import type { ToolCallback, ToolCallResultConverter } from './tool-callback.ts'
import type { ToolContext } from './tool-context.ts'

export const TOOL_BODY: unique symbol = Symbol.for('toolwright.tool-body') as never

export interface ToolBody {
  readonly input: CompiledInput
  /** Runs with a checked input; what it yields is progress, what it returns or resolves to is the result. */
  readonly run: (input: unknown, context: ToolContext) => unknown
  readonly convert: ToolCallResultConverter
  /** Checks a result against the declared output. */
  readonly checkOutput?: (result: unknown) => CheckResult | Promise<CheckResult>
  /** Picks and checks the declared keys of the request's tool context. Throws `ConfigurationError`. */
  readonly pickContext?: (values: { readonly [key: string]: unknown }) => object | Promise<object>
  /** The same tool under another name; for records, whose keys name the nameless. */
  readonly renamed: (name: string) => ToolCallback
}

export function bodyOf(callback: ToolCallback): ToolBody | undefined {
  return (callback as { readonly [TOOL_BODY]?: ToolBody })[TOOL_BODY]
}
