/** The options of one request: a model's defaults overlaid by the prompt's, and the tools that they offer. For whoever implements a model. */
import type { ChatOptions } from './chat-model.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import type { ToolCallbackResolver } from '../tools/tool-callback-resolver.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'

/** The defaults of a model that has none. */
export const NO_OPTIONS: ChatOptions = {}
const NO_TOOLS: readonly ToolCallback[] = []

/** Field by field; `tools` and `toolNames` are one field, `toolContext` merges key by key. */
export function mergeOptions(defaults: ChatOptions, given: ChatOptions | undefined): ChatOptions {
  if (given === undefined) return defaults
  if (defaults === NO_OPTIONS) return given
  const merged: { -readonly [field in keyof ChatOptions]: unknown } = { ...defaults }
  if (given.tools !== undefined || given.toolNames !== undefined) {
    delete merged.tools
    delete merged.toolNames
  }
  for (const [field, value] of Object.entries(given)) {
    if (value !== undefined) merged[field as keyof ChatOptions] = value
  }
  if (defaults.toolContext !== undefined && given.toolContext !== undefined) {
    merged.toolContext = { ...defaults.toolContext, ...given.toolContext }
  }
  return merged as ChatOptions
}

/** The tools to send. The same array as given where nothing has to be resolved, so that caches know it again. */
export async function offeredTools(
  options: ChatOptions,
  resolver: ToolCallbackResolver | undefined,
): Promise<readonly ToolCallback[]> {
  if (!options.tools?.length && !options.toolNames?.length) return NO_TOOLS
  return resolveTools(options, resolver)
}
