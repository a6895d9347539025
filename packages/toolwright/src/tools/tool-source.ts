/**
 * Everything that can be offered as tools, and the way to a flat list of callbacks. Mistakes are reported
 * here, before a model is asked.
 */
import { ConfigurationError, ToolSourceError, ToolwrightError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { describeValue } from '../schema/describe-value.ts'
import { inTime, type TimeLimit } from '../ports/in-time.ts'
import { valueAt } from '../schema/json-object.ts'
import { jsonSchemaOf } from '../schema/json-schema-text.ts'
import { remembered } from '../schema/remembered.ts'
import { bodyOf } from './tool-body.ts'
import {
  isToolCallback,
  isToolCallbackProvider,
  type ToolCallback,
  type ToolCallbackProvider,
  type ToolListing,
} from './tool-callback.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { invalidName, LONGEST_NAME } from './tool-name.ts'

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
 * A tool, a provider (asked once per run), an object or class with tools, a record of tools, or an array or
 * other iterable of these. Never a promise: await it first.
 */
export type ToolSource = ToolCallback | ToolCallbackProvider | ToolRecord | ToolObject | ToolSources

/** An iterable of sources: an array, a set, the values of a map, a generator. */
export type ToolSources = object & Iterable<ToolSource>

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
  asking?: Asking,
): Promise<readonly ToolCallback[]> {
  const flat = flattenSources(sources)
  // A list that is already flat is returned as it is.
  const isFlat = flat.length === sources.length
  if (isFlat && flat.every((each, index) => isToolCallback(each) && each === sources[index]))
    return sources as readonly ToolCallback[]
  if (flat.every(isToolCallback)) return flat
  const lists = flat.map((source) =>
    isToolCallback(source) ? [source] : askProvider(source, asking),
  )
  return (await Promise.all(lists)).flat()
}

/** How long a provider has, if that is limited, and what of the run it may reach. */
export type Asking = Partial<TimeLimit> & Partial<Pick<ToolListing, 'notice'>>

async function askProvider(
  provider: ToolCallbackProvider,
  asking: Asking | undefined,
): Promise<readonly ToolCallback[]> {
  const listing: ToolListing = { signal: asking?.signal, notice: asking?.notice ?? nobodyHears }
  const { name } = provider.constructor ?? Object
  const what = name === 'Object' ? 'A tool provider' : `The tool provider ${name}`
  const ask = (): unknown => provider.toolCallbacks(listing)
  const provided: unknown = await orToolSourceError(what, ask, asking)
  const wrong = (got: unknown, wanted: string): ConfigurationError =>
    invalidSource(`${what} gave ${describeValue(got)} instead of ${wanted}.`)
  if (!Array.isArray(provided)) throw wrong(provided, 'a list of tools')
  return provided.map((each: unknown) => {
    if (isToolCallback(each)) return soundCallback(each)
    throw wrong(each, 'a tool')
  })
}

const nobodyHears = (): void => {}

/**
 * Asks foreign code for tools, within the limit if there is one. Its errors are wrapped, to say who was asked;
 * errors of this package already do.
 */
export async function orToolSourceError<T>(
  what: string,
  ask: () => T | Promise<T>,
  { clock, ms = Infinity, signal }: Partial<TimeLimit> = {},
): Promise<Awaited<T>> {
  try {
    const given = ask()
    if (!clock || !('then' in (Object(given) as object))) return await given
    return await inTime({ clock, ms, signal }, Promise.resolve(given), () => {
      throw new ToolSourceError(`${what} gave no answer within ${ms} ms`, {})
    })
  } catch (cause) {
    if (ToolwrightError.is(cause)) throw cause
    throw new ToolSourceError(`${what} failed: ${redact(messageOfThrown(cause))}`, { cause })
  }
}

/**
 * The callbacks and providers of all sources, in order, without asking providers. Throws for anything that
 * is not a source. Iterables are read now, so that a request can keep what they gave.
 */
export function flattenSources(
  sources: readonly unknown[],
): readonly (ToolCallback | ToolCallbackProvider)[] {
  if (!Array.isArray(sources)) {
    const flat = fromIterable(sources)
    if (flat) return flat
    throw invalidSource('tools takes a list: write tools: [weather].')
  }
  return sources.flatMap((source: unknown) => {
    if (isToolCallback(source)) return soundCallback(source)
    if (isToolCallbackProvider(source)) return source
    if (Array.isArray(source)) return flattenSources(source)
    return fromClass(source) ?? fromIterable(source) ?? fromRecord(source)
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

const readOnce = new WeakMap<object, readonly unknown[]>()

function fromIterable(
  source: unknown,
): readonly (ToolCallback | ToolCallbackProvider)[] | undefined {
  if (typeof source !== 'object' || source === null || source instanceof Map) return undefined
  const iterable = source as Iterable<unknown>
  if (typeof iterable[Symbol.iterator] !== 'function') return undefined
  const isSpent = iterable[Symbol.iterator]() === (source as unknown)
  // A generator gives its sources once, but options that hold it are read in every run.
  return flattenSources(
    isSpent ? remembered(readOnce, iterable, () => [...iterable]) : [...iterable],
  )
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

const parsedCallbacks = new WeakMap<ToolCallback, ToolCallback>()

/** The callback if its name can be used, with its schema as an object where it was written as JSON text. */
export function soundCallback(callback: ToolCallback): ToolCallback {
  const { name, inputSchema } = callback.definition
  if (!name?.trim() || name.length > LONGEST_NAME) throw invalidName(name)
  return typeof inputSchema === 'string'
    ? remembered(parsedCallbacks, callback, () =>
        redefined(callback, { inputSchema: jsonSchemaOf(inputSchema) }),
      )
    : callback
}

function fromRecord(source: unknown): readonly ToolCallback[] {
  const entries = Object.entries(source ?? {})
  const { constructor = Object } = Object(source) as object
  const isRecord = constructor === Object || entries.some(([, value]) => isToolCallback(value))
  if (!isRecord || entries.length === 0 || looksLikeOptions(source))
    throw invalidSource(whatToWrite(source))
  return entries.map(([key, value]: [string, unknown]) => {
    if (!isToolCallback(value))
      throw invalidSource(
        `In a record of tools, "${key}" is ${describeValue(value)}: write ${key}: tool({ ... }).`,
      )
    return soundCallback(value.definition.name === '' ? rename(value, key) : value)
  })
}

const looksLikeOptions = (source: unknown): boolean =>
  ['execute', 'description'].some((key) => /^[fs]/.test(typeof valueAt(source, [key])))

interface Given {
  readonly name?: string
  readonly prototype?: object
  readonly then?: unknown
  readonly [Symbol.asyncIterator]?: unknown
}

/** The message about what is no source. */
function whatToWrite(source: unknown): string {
  if (typeof source === 'string') return `Names of tools go to .toolNames("${source}").`
  const { name, prototype, then, [Symbol.asyncIterator]: later } = Object(source) as Given
  if (then ?? later) return 'A promise was given as a tool source: await it first.'
  if (source instanceof Map) return 'A map was given as a tool source: pass its values().'
  if (looksLikeOptions(source)) return 'The options of a tool were given: write tool({ ... }).'
  if (typeof source === 'function')
    return /^class\b/.test(String(source)) || Object.getOwnPropertyNames(prototype ?? {})[1]
      ? `${name} has no static tools: pass an instance of it.`
      : `A function was given as a tool source: write tool({ name: '${name || 'now'}', description, input, execute: ${name || '() => ...'} }).`
  const { constructor = Object } = Object(source) as object
  return `There are no tools in ${constructor === Object ? describeValue(source) : `this ${constructor.name}`}.`
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
    () => bodyOf(callback)?.renamed(name) ?? redefined(callback, { name }),
  )

const redefined = (callback: ToolCallback, changes: Partial<ToolDefinition>): ToolCallback => ({
  definition: { ...callback.definition, ...changes },
  metadata: callback.metadata,
  call: (input, context) => callback.call(input, context),
})

const invalidSource = (message: string): ConfigurationError =>
  new ConfigurationError('invalid-tool-source', message)
