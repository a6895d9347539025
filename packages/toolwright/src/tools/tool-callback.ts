/** A tool as the runner sees it. Anything with this shape is a tool. */
import type { UserPart } from '../messages/message.ts'
import type { ToolContext } from './tool-context.ts'
import type { ToolDefinition } from './tool-definition.ts'
import type { ToolMetadata } from './tool-metadata.ts'

/** What a model gets back: text, or parts it can see. */
export type ToolOutput = string | readonly UserPart[]

export interface ToolCallback {
  readonly definition: ToolDefinition
  readonly metadata: ToolMetadata
  /** `input` is JSON text. Rejects with `ToolInputError` when it does not fit. */
  call(input: string, context?: ToolContext): Promise<ToolOutput>
}

/** Offers tools that are only known when a run starts; asked once per run. */
export interface ToolCallbackProvider {
  toolCallbacks(): readonly ToolCallback[] | Promise<readonly ToolCallback[]>
}

/** Turns what a tool returned into what the model reads. */
export type ToolCallResultConverter<Result = unknown> = (
  result: Result,
  tool: { readonly definition: ToolDefinition },
) => ToolOutput | Promise<ToolOutput>

export function isToolCallback(x: unknown): x is ToolCallback {
  const { definition, call } = Object(x) as Partial<ToolCallback>
  return typeof call === 'function' && typeof definition === 'object' && definition !== null
}

export const isToolCallbackProvider = (x: unknown): x is ToolCallbackProvider =>
  typeof (Object(x) as Partial<ToolCallbackProvider>).toolCallbacks === 'function'
