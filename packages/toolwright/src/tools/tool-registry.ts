/**
 * Tools under names of the program's choosing, found by them. The names are part of its type, so that a
 * client with such a resolver checks `.toolNames()` at compile time.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { describeValue } from '../schema/describe-value.ts'
import type { InferInput } from '../schema/infer-schema.ts'
import { tool, type ContextOf, type SchemaSource, type ToolOptions } from './tool.ts'
import { isToolCallback, type ToolCallback } from './tool-callback.ts'
import type { ToolCallbackResolver } from './tool-callback-resolver.ts'
import { orToolSourceError, rename } from './tool-source.ts'

/** Makes a tool when it is first asked for; once, also if many ask at the same time. One that fails is asked again. */
export type ToolFactory = () => ToolCallback | Promise<ToolCallback>

/** A function with what `tool()` takes besides it; the name comes from the registry. */
export type BareTool<
  Input extends SchemaSource | undefined,
  Returned,
  Context extends SchemaSource | undefined,
> = Omit<ToolOptions<InferInput<Input>, Returned, ContextOf<Context>>, 'name' | 'execute'> & {
  readonly execute: NonNullable<
    ToolOptions<InferInput<Input>, Returned, ContextOf<Context>>['execute']
  >
  readonly input?: Input
  readonly output?: SchemaSource
  readonly context?: Context
}

export interface ToolRegistry<Names extends string = string> extends ToolCallbackResolver {
  /** Only for the compiler. */
  readonly '~names'?: Names
  /**
   * Adds a tool, a factory of one, or a bare function. This name wins over the tool's own; a name that is
   * taken is an error. Gives the same registry back, its type knowing the name: chain it.
   */
  register<
    const Name extends string,
    const Input extends SchemaSource | undefined = undefined,
    Returned = never,
    const Context extends SchemaSource | undefined = undefined,
  >(
    name: Name,
    entry: ToolCallback | ToolFactory | BareTool<Input, Returned, Context>,
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
      throw invalid(`A registry takes a non-empty name; it got ${describeValue(name)}.`)
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
  if (typeof entry === 'function') return once(() => made(name, entry))
  const found = isToolCallback(entry) ? underName(entry, name) : bareTool(name, entry)
  return () => found
}

function bareTool(name: string, entry: { readonly execute: () => unknown }): ToolCallback {
  if (typeof entry?.execute === 'function') return tool({ ...entry, name })
  throw invalid(
    `"${name}" is ${describeValue(entry)}; a registry takes a tool, a function that makes one, or { description, input, execute }.`,
  )
}

async function made(name: string, factory: ToolFactory): Promise<ToolCallback> {
  const what = `The factory of the tool "${name}"`
  const given: unknown = await orToolSourceError(what, factory)
  if (isToolCallback(given)) return underName(given, name)
  throw invalid(`${what} gave ${describeValue(given)} instead of a tool.`)
}

const underName = (callback: ToolCallback, name: string): ToolCallback =>
  callback.definition.name === name ? callback : rename(callback, name)

/** Shared while it runs and once it worked; a failure is forgotten. */
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

const invalid = (message: string): ConfigurationError =>
  new ConfigurationError('invalid-tool', message)
