/**
 * Everything that can be offered as tools, and the way from there to a flat list of callbacks.
 * Mistakes are named here, before a model is asked.
 */
import { ConfigurationError } from '../errors/errors.ts'
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

/** Whether every source already is a callback, so that expanding would change nothing. */
export function isFlat(sources: readonly ToolSource[]): sources is readonly ToolCallback[] {
  return sources.every(isToolCallback)
}

/** The callbacks of all sources in order; providers are asked now. Throws for anything that is no source. */
export async function expandToolSources(
  sources: readonly ToolSource[],
): Promise<readonly ToolCallback[]> {
  const callbacks: ToolCallback[] = []
  for (const source of sources) {
    if (isToolCallback(source)) callbacks.push(named(source))
    else if (Array.isArray(source)) callbacks.push(...(await expandToolSources(source)))
    else if (isToolCallbackProvider(source))
      callbacks.push(...checkedList(await source.toolCallbacks()))
    else callbacks.push(...fromRecord(source))
  }
  return callbacks
}

/** Refuses sources that can never work, without asking providers. For the edge, where the mistake was made. */
export function checkToolSources(sources: readonly unknown[]): void {
  for (const source of sources) {
    if (isToolCallback(source)) named(source)
    else if (Array.isArray(source)) checkToolSources(source)
    else if (!isToolCallbackProvider(source)) fromRecord(source)
  }
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
  if (typeof callback.definition.name === 'string' && callback.definition.name.trim() !== '')
    return callback
  throw new ConfigurationError(
    'invalid-tool',
    'A tool has no name. Give tool() a name, or offer it in a record: .tools({ setAlarm: tool({...}) }).',
  )
}

function checkedList(list: unknown): readonly ToolCallback[] {
  if (Array.isArray(list) && list.every(isToolCallback)) return list.map(named)
  throw invalidSource(
    `A provider's toolCallbacks() gave ${kindOf(list)} instead of a list of tools.`,
  )
}

function fromRecord(source: unknown): readonly ToolCallback[] {
  if (typeof source !== 'object' || source === null) throw invalidSource(whatInstead(source))
  if ('then' in source) throw invalidSource('A promise was given as a tool source.')
  const entries = Object.entries(source)
  const tools = entries.filter(([, value]) => isToolCallback(value)) as [string, ToolCallback][]
  if (tools.length === 0)
    throw invalidSource(`${kindOf(source)} without any tools was given as a tool source.`)
  const other = entries.find(([, value]) => !isToolCallback(value))
  if (other)
    throw invalidSource(`In a record of tools, "${other[0]}" is ${kindOf(other[1])}, not a tool.`)
  return tools.map(([key, callback]) =>
    callback.definition.name === '' ? rename(callback, key) : callback,
  )
}

const rename = (callback: ToolCallback, name: string): ToolCallback =>
  bodyOf(callback)?.renamed(name) ?? { ...callback, definition: { ...callback.definition, name } }

function whatInstead(source: unknown): string {
  if (typeof source === 'string')
    return `The string "${source}" was given as a tool; names go to .toolNames("${source}").`
  return `${kindOf(source)} was given as a tool source.`
}

function kindOf(x: unknown): string {
  if (x === null) return 'null'
  if (Array.isArray(x)) return 'an array'
  if (typeof x === 'object') return Object.keys(x).length === 0 ? 'an empty object' : 'an object'
  return x === undefined ? 'undefined' : `a ${typeof x}`
}

const invalidSource = (message: string): ConfigurationError =>
  new ConfigurationError('invalid-tool-source', message)
