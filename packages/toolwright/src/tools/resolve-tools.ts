/** Turns the tool sources and tool names of a request into the flat list of callbacks that a model gets. */
import { ConfigurationError } from '../errors/errors.ts'
import { didYouMean } from '../internal/nearest-names.ts'
import { describeValue } from '../schema/describe-value.ts'
import { isToolCallback, type ToolCallback } from './tool-callback.ts'
import type { ToolCallbackResolver } from './tool-callback-resolver.ts'
import {
  expandToolSources,
  orToolSourceError,
  refuseDuplicates,
  soundCallback,
  type Asking,
  type ToolSource,
} from './tool-source.ts'

export interface OfferedTools {
  readonly tools?: readonly ToolSource[]
  readonly toolNames?: readonly string[]
}

const checkedLists = new WeakSet<readonly ToolCallback[]>()

/**
 * Asks providers now, each within the limit if there is one. Unknown names and duplicates are errors. A list that is
 * already flat and checked is returned as it is.
 */
export async function resolveTools(
  { tools = [], toolNames = [] }: OfferedTools,
  resolver: ToolCallbackResolver | undefined,
  asking?: Asking,
): Promise<readonly ToolCallback[]> {
  const callbacks = tools as readonly ToolCallback[]
  if (toolNames.length === 0 && checkedLists.has(callbacks)) return callbacks
  const namedTools = await Promise.all(toolNames.map((name) => resolveName(name, resolver, asking)))
  const sourceTools = await expandToolSources(tools, asking)
  const all = namedTools.length === 0 ? sourceTools : [...sourceTools, ...namedTools]
  refuseDuplicates(all)
  checkedLists.add(all)
  return all
}

async function resolveName(
  name: string,
  resolver: ToolCallbackResolver | undefined,
  limit: Asking | undefined,
): Promise<ToolCallback> {
  const what = `The resolver, asked for the tool "${name}",`
  const found = await orToolSourceError(what, () => resolver?.resolve(name), limit)
  if (isToolCallback(found)) return soundCallback(found)
  if (found) throw new ConfigurationError('invalid-tool', `${what} gave ${describeValue(found)}.`)
  const names = await orToolSourceError(what, () => resolver?.names?.() ?? [], limit)
  const hint = didYouMean(name, names)
  throw new ConfigurationError('unknown-tool-name', `No tool is called "${name}".${hint}`)
}
