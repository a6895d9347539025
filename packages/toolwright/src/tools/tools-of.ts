/** Returns the callbacks of a tool source, without a request. */
import { ConfigurationError } from '../errors/errors.ts'
import { isToolCallback, type ToolCallback, type ToolListing } from './tool-callback.ts'
import {
  expandToolSources,
  flattenSources,
  refuseDuplicates,
  type ToolSource,
} from './tool-source.ts'

/**
 * The tools of an instance, a class, a record, an array or a callback, to call directly or to put into a
 * resolver. A provider is an error here, because it may need time: pass it to `.tools()`. An instance
 * always gives the same callbacks.
 *
 * @example
 * const [setAlarm] = toolsOf(new AlarmTools())
 * await setAlarm.call('{"time":"2026-01-01T06:00:00Z"}')
 */
export function toolsOf(source: ToolSource): readonly ToolCallback[] {
  const callbacks = flattenSources([source])
  if (!callbacks.every(isToolCallback))
    throw new ConfigurationError(
      'invalid-tool-source',
      'toolsOf() cannot wait for a provider: pass it to .tools().',
    )
  refuseDuplicates(callbacks)
  return callbacks
}

/**
 * The same with providers, which are asked now: for whoever lists tools without a request, such as a server of
 * them. Two tools of one name are an error.
 *
 * @example
 * const tools = await allToolsOf([weather, mcpTools({ url })])
 */
export async function allToolsOf(
  source: ToolSource,
  listing?: ToolListing,
): Promise<readonly ToolCallback[]> {
  const callbacks = await expandToolSources([source], listing)
  refuseDuplicates(callbacks)
  return callbacks
}
