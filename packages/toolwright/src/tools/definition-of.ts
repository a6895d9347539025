/** Returns the definition of one method's tool. */
import { classToolsOf, publicMethod, toolOf } from './class-tools.ts'
import type { MethodName } from './method-options.ts'
import type { ToolDefinition } from './tool-definition.ts'

/**
 * The definition of the tool that a method is, or would be without `@Tool()`: an instance method, or a static
 * method of a class. A `#private` method is named with its `#`.
 *
 * @example
 * definitionOf(new AlarmTools(), 'setAlarm').inputSchema
 */
export function definitionOf<T extends object>(
  object: T,
  method: MethodName<T> | `#${string}`,
): ToolDefinition {
  const { byMethod } = classToolsOf(object)
  return (byMethod.get(method) ?? toolOf(publicMethod(method, {}), object)).definition
}
