/** The callbacks of whatever can be offered as tools, without a request. */
import { ConfigurationError } from '../errors/errors.ts'
import { isToolCallback, type ToolCallback } from './tool-callback.ts'
import { flattened, refuseDuplicates, type ToolSource } from './tool-source.ts'

/**
 * The tools of an instance, a class, a record, an array or a callback, to call by hand or to put into a
 * resolver. A provider may need time and is an error here: pass it to `.tools()`. An instance always gives
 * the same callbacks.
 *
 * @example
 * const [setAlarm] = toolsOf(new AlarmTools())
 * await setAlarm.call('{"time":"2026-01-01T06:00:00Z"}')
 */
export function toolsOf(source: ToolSource): readonly ToolCallback[] {
  const callbacks = flattened([source])
  if (!callbacks.every(isToolCallback))
    throw new ConfigurationError(
      'invalid-tool-source',
      'toolsOf() cannot wait for a provider: pass it to .tools().',
    )
  refuseDuplicates(callbacks)
  return callbacks
}
