/** `methodTool()` makes one tool from one method, without a decorator. */
import { checkKeywords } from '../schema/check-keywords.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { compileInput, type CompiledInput } from '../schema/input-schema.ts'
import { invalidSchema } from '../schema/invalid-schema.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { jsonSchemaOf } from '../schema/json-schema-text.ts'
import {
  checkMethodOptions,
  invalidTool,
  missingMethod,
  parametersWithoutSchema,
  publicMethod,
  type ToolFunction,
} from './class-tools.ts'
import type { AnyMethod, InputOption, MethodName, MethodSettings } from './method-options.ts'
import { makeTool, type UntypedOptions } from './tool.ts'
import type { ToolCallback } from './tool-callback.ts'

/** The tool's input: `input` as usual, or `inputSchema` to show the model a schema exactly as written. */
type EitherSchema<Method> =
  | (InputOption<Method> & ShownSchema)
  | { readonly input?: undefined; readonly inputSchema: JsonSchema | string }

interface ShownSchema {
  /**
   * The JSON Schema that the model gets, as an object or as JSON text, unchanged: nothing is closed or
   * wrapped. Without `input`, arguments are checked against it.
   */
  readonly inputSchema?: JsonSchema | string
}

/**
 * Makes a tool from a method: by name on an object (or on a class, for a static method), or from the
 * function itself. A function without `object` is called without `this`. The other options are those of
 * `@Tool()`.
 *
 * @example
 * const setAlarm = methodTool({
 *   object: new AlarmTools(),
 *   method: 'setAlarm',
 *   description: 'Set an alarm',
 *   input: z.object({ time: z.iso.datetime() }),
 * })
 */
export function methodTool<T extends object, Name extends MethodName<T>>(
  options: { readonly object: T; readonly method: Name } & MethodSettings<T[Name]> &
    EitherSchema<T[Name]>,
): ToolCallback
export function methodTool<Method extends AnyMethod>(
  options: { readonly object?: object; readonly method: Method } & MethodSettings<Method> &
    EitherSchema<Method>,
): ToolCallback
export function methodTool(options: Untyped): ToolCallback {
  checkMethodOptions('methodTool', options, ['object', 'method', 'inputSchema'])
  const { object, method, inputSchema, ...settings } = options
  const methodName = typeof method === 'function' ? method.name.replace(/^bound /, '') : method
  const name = settings.name ?? methodName
  if (!name) throw invalidTool('methodTool() needs a method, or a name for one without.')
  const found = typeof method === 'function' ? method : methodOf(object, method!)
  if (settings.input === undefined && inputSchema === undefined && found.length > 0)
    throw parametersWithoutSchema(name)
  const execute: ToolFunction =
    typeof method === 'function'
      ? method.bind(object)
      : (input, context) => methodOf(object, method!).call(object, input, context)
  return makeTool({ ...settings, execute }, name, inputOf(settings, inputSchema))
}

interface Untyped extends UntypedOptions {
  readonly object?: object
  readonly method?: string | ToolFunction
  readonly inputSchema?: JsonSchema | string
}

function methodOf(object: object | undefined, name: string): ToolFunction {
  if (!object)
    throw invalidTool(
      `methodTool() needs the object that has "${name}": an instance, or the class of a static method.`,
    )
  const method = publicMethod(name, {}).on(object)
  if (method) return method
  throw missingMethod(object, name)
}

function inputOf({ input }: UntypedOptions, shown: JsonSchema | string | undefined): CompiledInput {
  if (shown === undefined) return compileInput(input)
  const inputSchema = typeof shown === 'string' ? jsonSchemaOf(shown) : shown
  if (inputSchema?.type !== 'object')
    throw invalidSchema('The inputSchema of a tool is a JSON Schema with type: "object".')
  checkKeywords(inputSchema)
  const checker = compileSchema(inputSchema)
  const check = (value: unknown) => checker.check(value)
  return {
    wrapped: false,
    coerce: check,
    check,
    ...(input && compileInput(input)),
    jsonSchema: inputSchema,
  }
}
