/**
 * `@Tool()`: methods of a class become tools, in standard (TC39) and in `experimentalDecorators` mode.
 * Standard decorators see the class only when it, or an instance, is made: methods are noted then, once
 * for each prototype. Nothing else of the class is changed.
 */
import type { InferInput, InferOutput } from '../schema/infer-schema.ts'
import {
  addToolMethod,
  checkMethodOptions,
  invalidTool,
  offerClassTools,
  publicMethod,
  type ToolFunction,
  type ToolMethod,
} from './class-tools.ts'
import type { DecoratedMethodFits, OutputFits } from './method-fits.ts'
import type {
  ContextOf,
  ContextSource,
  InputSource,
  SchemaSource,
  ToolSchemas,
  ToolSettings,
  UntypedOptions,
} from './tool.ts'
import { CLASS_TOOLS } from './tool-source.ts'

/** The context of a standard decorator. */
interface Place {
  readonly kind: string
  readonly name: string | symbol
  readonly static: boolean
  readonly private: boolean
  readonly access: { has(self: object): boolean; get(self: object): unknown }
  readonly metadata?: { [key: PropertyKey]: unknown }
  addInitializer(run: (this: object) => void): void
}

/**
 * The decorator of a method that fits its schemas. In standard mode it gets the method and its context; in
 * the other mode the prototype or class, the key, and for methods a descriptor.
 */
export interface ToolDecorator<Input, Result, Values extends object, Declared = unknown> {
  <Target, Where, Method = undefined>(
    target: Target &
      (Where extends MethodPlace
        ? DecoratedMethodFits<Target, Input, Result, Values> & OutputFits<Target, Declared>
        : [Where, Method] extends [string | symbol, undefined]
          ? OnlyMethods
          : unknown),
    where: Where & (Where extends MethodPlace | string | symbol ? unknown : OnlyMethods),
    descriptor?: TypedPropertyDescriptor<Method> &
      DecoratedMethodFits<Method, Input, Result, Values> &
      OutputFits<Method, Declared>,
  ): void
}

/** Never if nothing is declared. */
type DeclaredInput<Input> = [Input] extends [undefined] ? never : InferInput<Input>
type DeclaredOutput<Output> = [Output] extends [undefined] ? unknown : InferOutput<Output>
type MethodPlace = { readonly kind: 'method' }
type OnlyMethods = '@Tool() stands on methods only'

/**
 * Makes a method a tool: instance, static, inherited or `#private`. Pass an instance to `.tools()` to offer
 * its instance and static tools, the class to offer the static ones. The method is always called as
 * `(input, context)`, on its object. One with parameters needs an `input` schema, or `input: 'none'` if it
 * only wants the context; without either it cannot be offered, because its parameters are then for
 * `toolwright generate`, whose file offers the method by its signature. An override is what is called;
 * decorated again, it replaces the tool.
 *
 * Models choose a tool by its description: without one they only have the name, in words.
 *
 * @example
 * class AlarmTools {
 *   @Tool({ description: 'Set an alarm', input: z.object({ time: z.iso.datetime() }) })
 *   setAlarm({ time }: { time: string }): string {
 *     return `Alarm set for ${time}`
 *   }
 * }
 * await client.prompt('Wake me at six').tools(new AlarmTools()).call().content()
 */
export function Tool<
  const Input extends InputSource | undefined = undefined,
  Result = unknown,
  const Context extends ContextSource | undefined = undefined,
  const Output extends SchemaSource | undefined = undefined,
>(
  options: ToolSettings<InferInput<Input>, Result, ContextOf<Context>> &
    ToolSchemas<Input, Context, Output> = {},
  // With `experimentalDecorators` the compiler would also infer the result from what it decorates.
): ToolDecorator<
  DeclaredInput<Input>,
  NoInfer<Result>,
  ContextOf<Context>,
  DeclaredOutput<Output>
> {
  // Without parentheses it gets the method, or with `experimentalDecorators` the prototype and the name.
  if (typeof options === 'function' || arguments.length > 1)
    throw invalidTool('@Tool is written with parentheses: @Tool().')
  const untyped = options as UntypedOptions
  checkMethodOptions('@Tool', untyped)
  return (target: unknown, where: unknown, descriptor?: { readonly value?: unknown }) => {
    if (isPlace(where)) return standard(target, where, untyped)
    const { value } = descriptor ?? {}
    if (typeof value !== 'function')
      throw notAMethod(where ? `"${String(where)}", no method` : 'a class')
    const method = publicMethod(nameOf(where), untyped)
    onHolder(target as object, { ...method, takesParameters: takesParameters(value) })
  }
}

const isPlace = (x: unknown): x is Place => typeof x === 'object' && x !== null && 'kind' in x

/**
 * Whether a method is declared with parameters. Those with default values and the rest do not count in
 * `length`, so the text is read too.
 */
function takesParameters(method: unknown): boolean {
  const { length } = method as ToolFunction
  const text = Function.prototype.toString.call(method).replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
  const [, first = ')'] = /^[^('"[]*(?:'[^']*'|"[^"]*"|\[[^\]]*\])?\s*\(\s*([^\s])/.exec(text) ?? []
  return length > 0 || first !== ')'
}

function standard(target: unknown, place: Place, options: UntypedOptions): void {
  if (place.kind !== 'method') throw notAMethod(`a ${place.kind}, "${String(place.name)}"`)
  const name = nameOf(place.name)
  // Marks the class as one whose instances have tools, if the compiler supports metadata.
  if (place.metadata && !place.static) place.metadata[CLASS_TOOLS] = true
  place.addInitializer(function () {
    if (place.static) return onHolder(this, place.private ? ownMethod(this) : shared)
    addToolMethod(Object.getPrototypeOf(this) as object, shared)
  })
  const declared = { takesParameters: takesParameters(target) }
  const shared = { ...(place.private ? privateMethod() : publicMethod(name, options)), ...declared }

  function privateMethod(): ToolMethod {
    const { access } = place
    return {
      name,
      key: access,
      options,
      on: (self) => (access.has(self) ? (access.get(self) as ToolFunction) : undefined),
    }
  }

  /**
   * A private static method exists only on the class that declares it, not on classes that inherit from it.
   */
  function ownMethod(owner: object): ToolMethod {
    return { ...shared, on: () => place.access.get(owner) as ToolFunction, receiver: owner }
  }
}

/** A class holds its static tools; its instances offer them too. */
function onHolder(holder: object, method: ToolMethod): void {
  addToolMethod(holder, method)
  if (typeof holder === 'function') offerClassTools(holder.prototype as object)
}

function nameOf(key: unknown): string {
  if (typeof key === 'string') return key
  throw invalidTool(`@Tool() needs a method with a name, not ${String(key)}.`)
}

const notAMethod = (what: string) =>
  invalidTool(`@Tool() stands on ${what}; it makes tools of methods.`)
