/** Returns the definition of one method's tool. */
import { ConfigurationError } from '../errors/errors.ts'
import { didYouMean } from '../internal/nearest-names.ts'
import { classToolsOf } from './class-tools.ts'
import type { MethodName } from './method-options.ts'
import type { ToolDefinition } from './tool-definition.ts'

/**
 * The definition of the tool that a method is: an instance method, or a static method of a class. A
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
  const available = names.length > 0 ? `its tools are ${names.join(', ')}` : 'it has no tools'
  throw new ConfigurationError(
    'unknown-tool-name',
    `The method "${method}" is no tool: ${available}.${didYouMean(method, names)}`,
  )
}
