/**
 * The options of one request: a model's defaults, overridden by the prompt's, and the tools that they
 * offer. Adapters use this.
 */
import type { ChatOptions } from './chat-model.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import type { ToolCallbackResolver } from '../tools/tool-callback-resolver.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'

/** The options of a model without defaults. */
export const NO_OPTIONS: ChatOptions = {}
const NO_TOOLS: readonly ToolCallback[] = []

/** Merges field by field. `tools` and `toolNames` count as one field; `toolContext` merges key by key. */
export function mergeOptions(
  defaults: ChatOptions,
  overrides: ChatOptions | undefined,
): ChatOptions {
  if (overrides === undefined) return defaults
  if (defaults === NO_OPTIONS) return overrides
  const merged: { -readonly [field in keyof ChatOptions]: unknown } = { ...defaults }
  if (overrides.tools !== undefined || overrides.toolNames !== undefined) {
    delete merged.tools
    delete merged.toolNames
  }
  for (const [field, value] of Object.entries(overrides)) {
    if (value !== undefined) merged[field as keyof ChatOptions] = value
  }
  if (defaults.toolContext !== undefined && overrides.toolContext !== undefined) {
    merged.toolContext = { ...defaults.toolContext, ...overrides.toolContext }
  }
  return merged as ChatOptions
}

/**
 * The tools to send. If nothing has to be resolved, the given array itself is returned, so that caches
 * recognise it.
 */
export async function offeredTools(
  options: ChatOptions,
  resolver: ToolCallbackResolver | undefined,
): Promise<readonly ToolCallback[]> {
  if (!options.tools?.length && !options.toolNames?.length) return NO_TOOLS
  return resolveTools(options, resolver)
}
