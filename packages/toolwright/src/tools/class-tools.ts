/**
 * The tools that are methods of a class, however they were declared. Each holder (a prototype, a class, the
 * result of `defineTools()`) keeps its tool methods; an instance or class collects those of its chain,
 * once. Only the makers of class tools import this file: sources reach it through `CLASS_TOOLS`.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { didYouMean } from '../internal/nearest-names.ts'
import { remembered } from '../schema/remembered.ts'
import { checkToolOptions, makeTool, TOOL_OPTIONS, type UntypedOptions } from './tool.ts'
import type { ToolCallback } from './tool-callback.ts'
import type { ToolContext } from './tool-context.ts'
import { CLASS_TOOLS, refuseDuplicates } from './tool-source.ts'

export interface ToolMethod {
  /** The method's name, including the `#` of a private one. */
  readonly name: string
  /**
   * A later method with the same key replaces this one, e.g. a decorated override. A `#private` method has
   * a key of its own.
   */
  readonly key: unknown
  readonly options: UntypedOptions
  /**
   * The method as the object has it now, so that an override, a spy or a proxy's trap runs. Undefined if it
   * has none.
   */
  on(self: object): ToolFunction | undefined
  /** What it is called on, if not on the object that offers it. */
  readonly receiver?: object
  /** Whether it was declared with parameters; undefined if only the method itself can tell. */
  readonly takesParameters?: boolean
}

/** The tools of one instance or class. */
export interface ClassTools {
  readonly list: readonly ToolCallback[]
  readonly byMethod: ReadonlyMap<string, ToolCallback>
}

const methodsOf = new WeakMap<object, Set<ToolMethod>>()
const toolsByObject = new WeakMap<object, ClassTools>()

/** Adds a tool method to its holder, unless it is already there. */
export function addToolMethod(holder: object, method: ToolMethod): void {
  remembered(methodsOf, holder, () => new Set<ToolMethod>()).add(method)
  offerClassTools(holder)
}

/** Makes the tools of this object, and of all objects that inherit from it, visible to sources. */
export function offerClassTools(holder: object): void {
  if (CLASS_TOOLS in holder) return
  Object.defineProperty(holder, CLASS_TOOLS, { value: (self: object) => classToolsOf(self).list })
}

/**
 * Instance tools first, then static tools, each starting with the base classes. For a class, only the
 * static tools.
 */
export function classToolsOf(self: object): ClassTools {
  return remembered(toolsByObject, self, () => gather(self))
}

function gather(self: object): ClassTools {
  const owner = typeof self === 'function' ? self : self.constructor
  const owners = typeof owner === 'function' ? chainOf(owner) : []
  const holders = self === owner ? [] : [...chainOf(self), ...owners.map(definedTools)]
  const found = [...bind(holders, self), ...bind(owners, owner)]
  const list = found.map(([, callback]) => callback)
  refuseDuplicates(list)
  return { list, byMethod: new Map(found) }
}

/** The object and its prototypes, the most distant first. */
function chainOf(self: object): object[] {
  const chain: object[] = []
  for (let link: object | null = self; link; link = Object.getPrototypeOf(link) as object | null)
    chain.unshift(link)
  return chain
}

const definedTools = (owner: object): unknown =>
  Object.hasOwn(owner, 'tools') && (owner as { readonly tools?: unknown }).tools

function bind(holders: readonly unknown[], self: object): (readonly [string, ToolCallback])[] {
  const methods = new Map<unknown, ToolMethod>()
  for (const holder of holders)
    for (const method of methodsOf.get(holder as object) ?? []) methods.set(method.key, method)
  return [...methods.values()].map((method) => [method.name, toolOf(method, self)])
}

/** The tool that a method of this object is. */
export function toolOf(method: ToolMethod, self: object): ToolCallback {
  const { name, options, receiver = self } = method
  const found = method.on(self)
  if (!found) throw missingMethod(self, name)
  if (options.input === undefined && (method.takesParameters ?? found.length > 0))
    throw parametersWithoutSchema(name)
  const execute = (input: never, context: ToolContext): unknown =>
    method.on(self)!.call(receiver, input, context)
  return makeTool({ ...options, execute }, options.name ?? name.replace(/^#/, ''))
}

/** Such a method would be called without what it needs. */
export const parametersWithoutSchema = (name: string): ConfigurationError =>
  invalidTool(
    `"${name}" takes parameters, but has no input schema. Give it an input, or input: 'none' if it only takes the context; or run toolwright generate and offer the file that it writes.`,
  )

const METHOD_TOOL_OPTIONS = /* @__PURE__ */ TOOL_OPTIONS.filter((name) => name !== 'execute')

/** Checks the options. They are those of `tool()` without `execute`, because the method is what runs. */
export function checkMethodOptions(
  maker: string,
  options: UntypedOptions,
  more: readonly string[] = [],
): void {
  checkToolOptions(maker, options, [...METHOD_TOOL_OPTIONS, ...more])
}

/** A public method, looked up by name on the object at each call. */
export function publicMethod(name: string, options: UntypedOptions): ToolMethod {
  return {
    name,
    key: name,
    options,
    on(self) {
      const method = (self as { readonly [name: string]: unknown })[name]
      return typeof method === 'function' ? (method as ToolFunction) : undefined
    },
  }
}

/** The error for a missing method. It names the methods that the object has. */
export function missingMethod(self: object, name: string): ConfigurationError {
  if (name.startsWith('#'))
    return invalidTool(`"${name}" cannot be called through this object: pass the instance itself.`)
  const ofInstances = Object((self as { readonly prototype?: unknown }).prototype) as object
  if (typeof self === 'function' && publicMethod(name, {}).on(ofInstances))
    return invalidTool(`"${name}" is no static method of ${self.name}: pass an instance of it.`)
  const names = chainOf(self).flatMap(Object.getOwnPropertyNames)
  const what = typeof self === 'function' ? self.name : `this ${self.constructor?.name ?? 'object'}`
  return invalidTool(`There is no method "${name}" on ${what}.${didYouMean(name, names)}`)
}

export type ToolFunction = (input: unknown, context: ToolContext) => unknown

export const invalidTool = (message: string): ConfigurationError =>
  new ConfigurationError('invalid-tool', message)
