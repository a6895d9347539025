/**
 * Everything that can be offered as tools, and the way to a flat list of callbacks. Mistakes are reported
 * here, before a model is asked.
 */
import { ConfigurationError, ToolSourceError, ToolwrightError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { describeValue } from '../schema/describe-value.ts'
import { remembered } from '../schema/remembered.ts'
import { inTime, type TimeLimit } from '../ports/in-time.ts'
import { bodyOf } from './tool-body.ts'
import {
  isToolCallback,
  isToolCallbackProvider,
  type ToolCallback,
  type ToolCallbackProvider,
} from './tool-callback.ts'

/** Tools by name. The keys name the tools that have no name. */
export interface ToolRecord {
  readonly [name: string]: ToolCallback
}

/**
 * An instance or a class whose methods are tools, by `@Tool()` or by `static tools = defineTools()`. The
 * compiler cannot see decorators, so any object except promises and lists is accepted; one without tools is
 * an error before the model is asked.
 */
export type ToolObject = object & {
  readonly then?: never
  readonly [Symbol.iterator]?: never
}

/**
 * A tool, a provider (asked once per run), an object or class with tools, a record of tools, or an array of
 * these. Never a promise: await it first.
 */
export type ToolSource =
  ToolCallback | ToolCallbackProvider | ToolRecord | ToolObject | readonly ToolSource[]

/**
 * The key under which a class, its prototype or the result of `defineTools()` holds the function that
 * returns the tools of an instance or class. A registered symbol, so that two copies of the package
 * recognise each other.
 */
export const CLASS_TOOLS: unique symbol = Symbol.for('toolwright.class-tools') as never

export interface HasClassTools {
  readonly [CLASS_TOOLS]?: (self: object) => readonly ToolCallback[]
}

/**
 * The callbacks of all sources, in order. Providers are asked now. Throws for anything that is not a
 * source.
 */
export async function expandToolSources(
  sources: readonly unknown[],
  limit?: TimeLimit,
): Promise<readonly ToolCallback[]> {
  const flat = flattenSources(sources)
  // A list that is already flat is returned as it is.
  if (sources.every(isToolCallback)) return sources
  if (flat.every(isToolCallback)) return flat
  const lists = flat.map((source) =>
    isToolCallback(source) ? [source] : askProvider(source, limit),
  )
  return (await Promise.all(lists)).flat()
}

async function askProvider(
  provider: ToolCallbackProvider,
  limit: TimeLimit | undefined,
): Promise<readonly ToolCallback[]> {
  const { name } = provider.constructor ?? Object
  const what = name === 'Object' ? 'A tool provider' : `The tool provider ${name}`
  const provided: unknown = await orToolSourceError(what, () => provider.toolCallbacks(), limit)
  const wrong = (got: unknown, wanted: string): ConfigurationError =>
    invalidSource(`${what} gave ${describeValue(got)} instead of ${wanted}.`)
  if (!Array.isArray(provided)) throw wrong(provided, 'a list of tools')
  return provided.map((each: unknown) => {
    if (isToolCallback(each)) return checkNamed(each)
    throw wrong(each, 'a tool')
  })
}

/**
 * Asks foreign code for tools, within the limit if there is one. Its errors are wrapped, to say who was asked;
 * errors of this package already do.
 */
export async function orToolSourceError<T>(
  what: string,
  ask: () => T | Promise<T>,
  limit?: TimeLimit,
): Promise<Awaited<T>> {
  try {
    const given = ask()
    if (!limit || !('then' in (Object(given) as object))) return await given
    return await inTime(limit, Promise.resolve(given), () => {
      throw new ToolSourceError(`${what} gave no answer within ${limit.ms} ms`, {})
    })
  } catch (cause) {
    if (ToolwrightError.is(cause)) throw cause
    throw new ToolSourceError(`${what} failed: ${redact(messageOfThrown(cause))}`, { cause })
  }
}

/**
 * Rejects sources that can never work, without asking providers. For the public methods, where the mistake
 * was made.
 */
export function checkToolSources(sources: readonly unknown[]): void {
  flattenSources(sources)
}

/**
 * The callbacks and providers of all sources, in order, without asking providers. Throws for anything that
 * is not a source.
 */
export function flattenSources(
  sources: readonly unknown[],
): readonly (ToolCallback | ToolCallbackProvider)[] {
  return sources.flatMap((source) => {
    if (isToolCallback(source)) return checkNamed(source)
    if (isToolCallbackProvider(source)) return source
    if (Array.isArray(source)) return flattenSources(source)
    return fromClass(source) ?? fromRecord(source)
  })
}

type ClassLike = HasClassTools & {
  readonly tools?: HasClassTools
  readonly constructor?: ClassLike
}

/** A class without static tools gives none, and the caller then reports it. */
function fromClass(source: unknown): readonly ToolCallback[] | undefined {
  const like = Object(source) as ClassLike
  const holders = [like, like.tools, like.constructor?.tools]
  const tools = holders.find((holder) => holder?.[CLASS_TOOLS])?.[CLASS_TOOLS]?.(like)
  return tools?.length ? tools : undefined
}

/** Two tools with one name would make the model's call ambiguous. */
export function refuseDuplicates(callbacks: readonly ToolCallback[]): void {
  const names = new Set<string>()
  for (const { definition } of callbacks) {
    if (names.has(definition.name)) {
      throw new ConfigurationError('duplicate-tool', `Two tools are called "${definition.name}".`)
    }
    names.add(definition.name)
  }
}

function checkNamed(callback: ToolCallback): ToolCallback {
  if (callback.definition.name?.trim()) return callback
  throw new ConfigurationError('invalid-tool', 'A tool has no name; offer it in a record of tools.')
}

function fromRecord(source: unknown): readonly ToolCallback[] {
  if (typeof source === 'string')
    throw invalidSource(`Names of tools go to .toolNames("${source}").`)
  if (source instanceof Promise) throw invalidSource('A promise was given as a tool source.')
  if (typeof source === 'function')
    throw invalidSource(`${source.name} has no static tools: pass an instance of it.`)
  const entries = Object.entries(source ?? {})
  const { constructor = Object } = Object(source) as object
  const isRecord = constructor === Object || entries.some(([, value]) => isToolCallback(value))
  if (!isRecord || entries.length === 0) {
    const what = isRecord ? describeValue(source) : `this ${constructor.name}`
    throw invalidSource(`There are no tools in ${what}.`)
  }
  return entries.map(([key, value]: [string, unknown]) => {
    if (!isToolCallback(value))
      throw invalidSource(`In a record of tools, "${key}" is ${describeValue(value)}.`)
    return value.definition.name === '' ? rename(value, key) : value
  })
}

const renamedTools = new WeakMap<ToolCallback, Map<string, ToolCallback>>()

/**
 * The same tool under another name; one for all runs, because rates and caches are kept by tool. A callback
 * that was not made by `tool()` may be an instance with private fields, so it is wrapped, not copied.
 */
export const rename = (callback: ToolCallback, name: string): ToolCallback =>
  remembered(
    remembered(renamedTools, callback, () => new Map<string, ToolCallback>()),
    name,
    () =>
      bodyOf(callback)?.renamed(name) ?? {
        definition: { ...callback.definition, name },
        metadata: callback.metadata,
        call: (input, context) => callback.call(input, context),
      },
  )

const invalidSource = (message: string): ConfigurationError =>
  new ConfigurationError('invalid-tool-source', message)
