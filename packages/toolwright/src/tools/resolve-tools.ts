/** From what a request offers, sources and names, to the flat list of callbacks a model gets. */
import { ConfigurationError } from '../errors/errors.ts'
import { didYouMean } from '../internal/nearest-names.ts'
import { describeValue } from '../schema/describe-value.ts'
import { isToolCallback, type ToolCallback } from './tool-callback.ts'
import type { ToolCallbackResolver } from './tool-callback-resolver.ts'
import {
  expandToolSources,
  orToolSourceError,
  refuseDuplicates,
  type ToolSource,
} from './tool-source.ts'

export interface OfferedTools {
  readonly tools?: readonly ToolSource[]
  readonly toolNames?: readonly string[]
}

const checkedLists = new WeakSet<readonly ToolCallback[]>()

/** Providers are asked now; unknown names and duplicates are errors. A list that went through once stays the same object. */
export async function resolveTools(
  { tools = [], toolNames = [] }: OfferedTools,
  resolver: ToolCallbackResolver | undefined,
): Promise<readonly ToolCallback[]> {
  const known = tools as readonly ToolCallback[]
  if (toolNames.length === 0 && checkedLists.has(known)) return known
  const named = await Promise.all(toolNames.map((name) => resolveName(name, resolver)))
  const held = await expandToolSources(tools)
  const all = named.length === 0 ? held : [...held, ...named]
  refuseDuplicates(all)
  checkedLists.add(all)
  return all
}

async function resolveName(
  name: string,
  resolver: ToolCallbackResolver | undefined,
): Promise<ToolCallback> {
  const what = `The resolver, asked for the tool "${name}",`
  const found = await orToolSourceError(what, () => resolver?.resolve(name))
  if (isToolCallback(found)) return found
  if (found) throw new ConfigurationError('invalid-tool', `${what} gave ${describeValue(found)}.`)
  const names = await orToolSourceError(what, () => resolver?.names?.() ?? [])
  const hint = didYouMean(name, names)
  throw new ConfigurationError('unknown-tool-name', `No tool is called "${name}".${hint}`)
}
