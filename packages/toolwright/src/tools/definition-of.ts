/** The definition that one method's tool has. */
import { ConfigurationError } from '../errors/errors.ts'
import { didYouMean } from '../internal/nearest-names.ts'
import { classToolsOf } from './class-tools.ts'
import type { MethodName } from './method-options.ts'
import type { ToolDefinition } from './tool-definition.ts'

/**
 * What a model is told about the tool that is this method: of an instance, or a static one of a class. A
 * `#private` method is named with its `#`.
 *
 * @example
 * definitionOf(new AlarmTools(), 'setAlarm').inputSchema
 */
export function definitionOf<T extends object>(
  object: T,
  method: MethodName<T> | `#${string}`,
): ToolDefinition {
  const { byMethod } = classToolsOf(object)
  const found = byMethod.get(method)
  if (found) return found.definition
  const names = [...byMethod.keys()]
  const known = names.length > 0 ? `its tools are ${names.join(', ')}` : 'it has no tools'
  throw new ConfigurationError(
    'unknown-tool-name',
    `The method "${method}" is no tool: ${known}.${didYouMean(method, names)}`,
  )
}
