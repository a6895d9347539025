/**
 * `@Tool()`: methods of a class become tools, in standard (TC39) and in `experimentalDecorators` mode.
 * Standard decorators see the class only when it, or an instance, is made: methods are noted then, once
 * for each prototype. Nothing else of the class is changed.
 */
import type { InferInput } from '../schema/infer-schema.ts'
import {
  addToolMethod,
  checkMethodOptions,
  invalidTool,
  offerClassTools,
  publicMethod,
  type ToolFunction,
  type ToolMethod,
} from './class-tools.ts'
import type { DecoratedMethodFits } from './method-fits.ts'
import type { ContextOf, SchemaSource, ToolSchemas, ToolSettings, UntypedOptions } from './tool.ts'
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
export interface ToolDecorator<Input, Result, Values extends object> {
  <Target, Where, Method = undefined>(
    target: Target &
      (Where extends MethodPlace
        ? DecoratedMethodFits<Target, Input, Result, Values>
        : [Where, Method] extends [string | symbol, undefined]
          ? OnlyMethods
          : unknown),
    where: Where & (Where extends MethodPlace | string | symbol ? unknown : OnlyMethods),
    descriptor?: TypedPropertyDescriptor<Method> &
      DecoratedMethodFits<Method, Input, Result, Values>,
  ): void
}

type MethodPlace = { readonly kind: 'method' }
type OnlyMethods = '@Tool() stands on methods only'

/**
 * Makes a method a tool: instance, static, inherited or `#private`. Pass an instance to `.tools()` to offer
 * its instance and static tools, the class to offer the static ones. The method is always called as
 * `(input, context)`, on its object; without an `input` schema the input is `{}`, and reading from it is an
 * error: parameters without a schema are for `toolwright generate`, whose file offers the method by its
 * signature. An override is what is called; decorated again, it replaces the tool.
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
  const Input extends SchemaSource | undefined = undefined,
  Result = unknown,
  const Context extends SchemaSource | undefined = undefined,
>(
  options: ToolSettings<InferInput<Input>, Result, ContextOf<Context>> &
    ToolSchemas<Input, Context> = {},
): ToolDecorator<InferInput<Input>, Result, ContextOf<Context>> {
  if (typeof options === 'function')
    throw invalidTool('@Tool is written with parentheses: @Tool().')
  const untyped = options as UntypedOptions
  checkMethodOptions('@Tool', untyped)
  return (target: unknown, where: unknown, descriptor?: { readonly value?: unknown }) => {
    if (isPlace(where)) return standard(where, untyped)
    if (typeof descriptor?.value !== 'function')
      throw notAMethod(where ? `"${String(where)}", no method` : 'a class')
    onHolder(target as object, publicMethod(nameOf(where), untyped))
  }
}

const isPlace = (x: unknown): x is Place => typeof x === 'object' && x !== null && 'kind' in x

function standard(place: Place, options: UntypedOptions): void {
  if (place.kind !== 'method') throw notAMethod(`a ${place.kind}, "${String(place.name)}"`)
  const name = nameOf(place.name)
  // Marks the class as one whose instances have tools, if the compiler supports metadata.
  if (place.metadata && !place.static) place.metadata[CLASS_TOOLS] = true
  place.addInitializer(function () {
    if (place.static) return onHolder(this, place.private ? ownMethod(this) : shared)
    addToolMethod(Object.getPrototypeOf(this) as object, shared)
  })
  const shared = place.private ? privateMethod() : publicMethod(name, options)

  function privateMethod(): ToolMethod {
    const { access } = place
    return {
      name,
      key: access,
      options,
      isOn: (self) => access.has(self),
      call: (self, input, context) => (access.get(self) as ToolFunction).call(self, input, context),
    }
  }

  /**
   * A private static method exists only on the class that declares it, not on classes that inherit from it.
   */
  function ownMethod(owner: object): ToolMethod {
    const method = privateMethod()
    return {
      ...method,
      isOn: () => true,
      call: (_self, input, context) => method.call(owner, input, context),
    }
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
