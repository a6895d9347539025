/**
 * Tools under names that the program chooses. The names are part of the registry's type, so that a client
 * with it as resolver checks `.toolNames()` at compile time.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { describeValue } from '../schema/describe-value.ts'
import type { InferInput } from '../schema/infer-schema.ts'
import {
  tool,
  type ContextOf,
  type ContextSource,
  type InputSource,
  type ReturnFor,
  type SchemaSource,
  type ToolOptions,
  type ToolSchemas,
} from './tool.ts'
import { isToolCallback, type ToolCallback } from './tool-callback.ts'
import type { ToolCallbackResolver } from './tool-callback-resolver.ts'
import { orToolSourceError, rename } from './tool-source.ts'

/**
 * Makes a tool when it is first needed, once, even if many ask at the same time. After a failure it is
 * called again.
 */
export type ToolFactory = () => ToolCallback | Promise<ToolCallback>

/** A function with the options of `tool()`; the registry gives the name. */
export type BareTool<
  Input extends InputSource | undefined,
  Returned,
  Context extends ContextSource | undefined,
  Output extends SchemaSource | undefined = SchemaSource,
> = Omit<ToolOptions<InferInput<Input>, Returned, ContextOf<Context>>, 'name' | 'execute'> & {
  readonly execute: NonNullable<
    ToolOptions<InferInput<Input>, Returned, ContextOf<Context>>['execute']
  >
} & ToolSchemas<Input, Context, Output>

export interface ToolRegistry<Names extends string = string> extends ToolCallbackResolver {
  /** Only for the compiler. */
  readonly '~names'?: Names
  /**
   * Adds a tool, a factory of one, or a bare function. This name replaces the tool's own; a name that is
   * taken is an error. Returns the same registry, typed with the new name, so that calls can be chained.
   */
  register<
    const Name extends string,
    const Input extends InputSource | undefined = undefined,
    const Output extends SchemaSource | undefined = undefined,
    Returned extends ReturnFor<Output> = ReturnFor<Output>,
    const Context extends ContextSource | undefined = undefined,
  >(
    name: Name,
    entry: ToolCallback | ToolFactory | BareTool<Input, Returned, Context, Output>,
  ): ToolRegistry<Names | Name>
  names(): readonly string[]
}

/**
 * A registry, with its first tools. Without any its names are plain strings.
 *
 * @example
 * const registry = toolRegistry({ currentWeather }).register('now', { execute: () => 'noon' })
 * const client = ChatClient.create(model, { resolver: registry })
 * await client.prompt('How is it?').toolNames('currentWeather').call().content()
 */
export function toolRegistry(): ToolRegistry
export function toolRegistry<Names extends string>(initial: {
  readonly [name in Names]: ToolCallback | ToolFactory
}): ToolRegistry<Names>
export function toolRegistry(
  initial: { readonly [name: string]: ToolCallback | ToolFactory } = {},
): ToolRegistry {
  const registry = new DefaultToolRegistry()
  for (const [name, entry] of Object.entries(initial)) registry.register(name, entry)
  return registry
}

type Entry = ToolCallback | ToolFactory | { readonly execute: () => unknown }

class DefaultToolRegistry implements ToolRegistry {
  readonly #entries = new Map<string, () => ToolCallback | Promise<ToolCallback>>()

  register(name: string, entry: unknown): this {
    if (typeof name !== 'string' || name.trim() === '')
      throw registryError(`A registry takes a non-empty name; it got ${describeValue(name)}.`)
    if (this.#entries.has(name))
      throw new ConfigurationError('duplicate-tool', `"${name}" is already registered.`)
    this.#entries.set(name, finderOf(name, entry as Entry))
    return this
  }

  resolve(name: string): ToolCallback | Promise<ToolCallback> | undefined {
    return this.#entries.get(name)?.()
  }

  names(): readonly string[] {
    return [...this.#entries.keys()]
  }
}

function finderOf(name: string, entry: Entry): ToolFactory {
  if (typeof entry === 'function') return once(() => toolOfFactory(name, entry))
  const callback = isToolCallback(entry) ? underName(entry, name) : bareTool(name, entry)
  return () => callback
}

function bareTool(name: string, entry: { readonly execute: () => unknown }): ToolCallback {
  if (typeof entry?.execute === 'function') return tool({ ...entry, name })
  throw registryError(
    `"${name}" is ${describeValue(entry)}; a registry takes a tool, a function that makes one, or { description, input, execute }.`,
  )
}

async function toolOfFactory(name: string, factory: ToolFactory): Promise<ToolCallback> {
  const what = `The factory of the tool "${name}"`
  const produced: unknown = await orToolSourceError(what, factory)
  if (isToolCallback(produced)) return underName(produced, name)
  throw registryError(`${what} gave ${describeValue(produced)} instead of a tool.`)
}

const underName = (callback: ToolCallback, name: string): ToolCallback =>
  callback.definition.name === name ? callback : rename(callback, name)

/** Shares the promise while it is pending and after success; a failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined
  return () => {
    making ??= make().catch((thrown: unknown) => {
      making = undefined
      throw thrown
    })
    return making
  }
}

const registryError = (message: string): ConfigurationError =>
  new ConfigurationError('invalid-tool', message)
