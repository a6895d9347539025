/** A tool as the runner sees it. Anything with this shape is a tool. */
import type { NoticeCode } from '../errors/notices.ts'
import type { Json } from '../messages/json.ts'
import type { UserPart } from '../messages/message.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { StandardSchema } from '../schema/standard-schema.ts'
import type { ToolContext } from './tool-context.ts'
import type { ToolDefinition } from './tool-definition.ts'
import type { ToolMetadata } from './tool-metadata.ts'

/** A tool's result as the model gets it: text, or parts. */
export type ToolOutput = string | readonly UserPart[]

export interface ToolCallback {
  readonly definition: ToolDefinition
  readonly metadata: ToolMetadata
  /** `input` is JSON text. Rejects with `ToolInputError` if it does not fit. */
  call(input: string, context?: ToolContext): Promise<ToolOutput>
}

/** Who asks a provider for its tools. */
export interface ToolListing {
  /** Aborted when the run that asks is. */
  readonly signal?: AbortSignal | undefined
  /** Tells readers of that run, as a `notice` event: which tool is left out, and why. */
  notice(code: NoticeCode, message: string, data?: Json): void
}

/** Offers tools that are known only when a run starts. It is asked once per run. */
export interface ToolCallbackProvider {
  toolCallbacks(listing?: ToolListing): readonly ToolCallback[] | Promise<readonly ToolCallback[]>
}

/** Converts what a tool returned to what the model reads. */
export type ToolCallResultConverter<Result = unknown> = (
  result: Result,
  tool: ConvertedTool,
) => ToolOutput | Promise<ToolOutput>

/** The tool whose result is converted. */
export interface ConvertedTool {
  readonly definition: ToolDefinition
  /** The schema of the result, as the tool declared it. */
  readonly output?: StandardSchema | JsonSchema
}

export function isToolCallback(x: unknown): x is ToolCallback {
  const { definition, call } = Object(x) as Partial<ToolCallback>
  return typeof call === 'function' && typeof definition === 'object' && definition !== null
}

export const isToolCallbackProvider = (x: unknown): x is ToolCallbackProvider =>
  typeof (Object(x) as Partial<ToolCallbackProvider>).toolCallbacks === 'function'
