/** Returns the callbacks of a tool source, without a request. */
import { ConfigurationError } from '../errors/errors.ts'
import { isToolCallback, type ToolCallback } from './tool-callback.ts'
import { flattenSources, refuseDuplicates, type ToolSource } from './tool-source.ts'

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
