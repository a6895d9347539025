/**
 * Everything that can be offered as tools, and the way from there to a flat list of callbacks.
 * Mistakes are named here, before a model is asked.
 */
import { ConfigurationError, ToolSourceError, ToolwrightError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { describeValue } from '../schema/describe-value.ts'
import { bodyOf } from './tool-body.ts'
import {
  isToolCallback,
  isToolCallbackProvider,
  type ToolCallback,
  type ToolCallbackProvider,
} from './tool-callback.ts'

/** Tools by name; the keys name the nameless. */
export interface ToolRecord {
  readonly [name: string]: ToolCallback
}

/** A tool, a provider (asked once per run), a record of tools, or an array of these. Never a promise: await it first. */
export type ToolSource = ToolCallback | ToolCallbackProvider | ToolRecord | readonly ToolSource[]

/** The callbacks of all sources in order; providers are asked now. Throws for anything that is no source. */
export async function expandToolSources(
  sources: readonly unknown[],
): Promise<readonly ToolCallback[]> {
  const flat = flattened(sources)
  // A list that already is flat stays the same object.
  if (sources.every(isToolCallback)) return sources
  const lists = flat.map((source) => (isToolCallback(source) ? [source] : askProvider(source)))
  return (await Promise.all(lists)).flat()
}

async function askProvider(provider: ToolCallbackProvider): Promise<readonly ToolCallback[]> {
  const { name } = provider.constructor ?? Object
  const what = name === 'Object' ? 'A tool provider' : `The tool provider ${name}`
  const given: unknown = await orToolSourceError(what, () => provider.toolCallbacks())
  const wrong = (got: unknown, wanted: string): ConfigurationError =>
    invalidSource(`${what} gave ${describeValue(got)} instead of ${wanted}.`)
  if (!Array.isArray(given)) throw wrong(given, 'a list of tools')
  return given.map((each: unknown) => {
    if (isToolCallback(each)) return named(each)
    throw wrong(each, 'a tool')
  })
}

/** Somebody else's code, asked for tools. What it throws says who was asked; an error of ours already does. */
export async function orToolSourceError<T>(
  what: string,
  ask: () => T | Promise<T>,
): Promise<Awaited<T>> {
  try {
    return await ask()
  } catch (cause) {
    if (ToolwrightError.is(cause)) throw cause
    throw new ToolSourceError(`${what} failed: ${redact(messageOfThrown(cause))}`, { cause })
  }
}

/** Refuses sources that can never work, without asking providers. For the edge, where the mistake was made. */
export function checkToolSources(sources: readonly unknown[]): void {
  flattened(sources)
}

/** The callbacks and providers of all sources in order; nobody is asked. Throws for anything that is no source. */
export function flattened(
  sources: readonly unknown[],
): readonly (ToolCallback | ToolCallbackProvider)[] {
  return sources.flatMap((source) => {
    if (isToolCallback(source)) return named(source)
    if (isToolCallbackProvider(source)) return source
    return Array.isArray(source) ? flattened(source) : fromRecord(source)
  })
}

/** Two tools of one name would make the model's call ambiguous. */
export function refuseDuplicates(callbacks: readonly ToolCallback[]): void {
  const names = new Set<string>()
  for (const { definition } of callbacks) {
    if (names.has(definition.name)) {
      throw new ConfigurationError('duplicate-tool', `Two tools are called "${definition.name}".`)
    }
    names.add(definition.name)
  }
}

function named(callback: ToolCallback): ToolCallback {
  if (callback.definition.name?.trim()) return callback
  throw new ConfigurationError('invalid-tool', 'A tool has no name; offer it in a record of tools.')
}

function fromRecord(source: unknown): readonly ToolCallback[] {
  if (typeof source === 'string')
    throw invalidSource(`Names of tools go to .toolNames("${source}").`)
  if (source instanceof Promise) throw invalidSource('A promise was given as a tool source.')
  const entries = Object.entries(source ?? {})
  if (entries.length === 0) throw invalidSource(`There are no tools in ${describeValue(source)}.`)
  return entries.map(([key, value]: [string, unknown]) => {
    if (!isToolCallback(value))
      throw invalidSource(`In a record of tools, "${key}" is ${describeValue(value)}.`)
    return value.definition.name === '' ? rename(value, key) : value
  })
}

/** The same tool under another name. One from scratch may be an instance with private fields: it is called, not copied. */
export const rename = (callback: ToolCallback, name: string): ToolCallback =>
  bodyOf(callback)?.renamed(name) ?? {
    definition: { ...callback.definition, name },
    metadata: callback.metadata,
    call: (input, context) => callback.call(input, context),
  }

const invalidSource = (message: string): ConfigurationError =>
  new ConfigurationError('invalid-tool-source', message)
