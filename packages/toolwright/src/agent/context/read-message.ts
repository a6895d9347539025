/**
 * Reads the many spellings of a context's messages into a few kinds of entries. Errors name the message's
 * place.
 */
import { AgentError } from '../../errors/errors.ts'
import { didYouMean } from '../../internal/nearest-names.ts'
import type { Json } from '../../messages/json.ts'
import type { Message } from '../../messages/message.ts'
import { describeValue } from '../../schema/describe-value.ts'
import { isObject, type JsonObject } from '../../schema/json-object.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type {
  AgentMessage,
  Call,
  Meta,
  OutputMethod,
  ToolDefinitionMessage,
} from '../agent-message.ts'
import { isOutputMethod, OUTPUT_METHODS } from './output-methods.ts'

/** A message with data, whatever its spelling. */
export interface DataEntry {
  readonly type: 'data'
  readonly kind: string
  readonly data: Json
  readonly role: Role
  readonly schema?: JsonSchema
  readonly description?: string
  readonly instance?: string
  readonly method?: OutputMethod
  readonly call?: Call
}

type Role = 'system' | 'user' | 'assistant'

export type Entry =
  | DataEntry
  | { readonly type: 'text'; readonly text: string; readonly role: Role }
  | { readonly type: 'tool'; readonly tool: ToolDefinitionMessage['tool'] }
  | { readonly type: 'meta'; readonly meta: Meta; readonly role: Role }
  | { readonly type: 'native'; readonly message: Message }

const TYPES = ['text', 'tool', 'data', 'input', 'state', 'meta']
const ROLES: readonly unknown[] = ['system', 'user', 'assistant']
/** Fields of a message that do not belong to its payload. */
const RESERVED = new Set(['type', 'role', 'kind', 'schema', 'description'])

const entriesByMessage = new WeakMap<AgentMessage, Entry>()

/** Messages never change, so each is read once. */
export function readMessage(message: AgentMessage, index: number): Entry {
  const cached = isObject(message) && entriesByMessage.get(message as AgentMessage)
  if (cached) return cached
  const entry = entryOf(message, `context[${index}]`)
  entriesByMessage.set(message, entry)
  return entry
}

export const readContext = (context: readonly AgentMessage[]): readonly Entry[] =>
  context.map(readMessage)

function entryOf(message: unknown, where: string): Entry {
  if (!isObject(message)) throw contextError(`${where} is ${describeValue(message)}.`)
  if (message.type !== undefined) return typedEntry(message, where, roleOf(message, where))
  const { role, content } = message
  if (isObject(content)) return typedEntry(content, `${where}.content`, roleOf(message, where))
  const payload = role === 'tool' ? message.responses : content
  const isNative = [...ROLES, 'tool'].includes(role)
  if (isNative && (typeof payload === 'string' || Array.isArray(payload)))
    return { type: 'native', message: message as unknown as Message }
  throw contextError(`${where} has neither a type (${TYPES.join(', ')}) nor a role with content.`)
}

function roleOf({ role = 'user' }: JsonObject, where: string): Role {
  if (ROLES.includes(role)) return role as Role
  throw contextError(`${where} has role ${describeValue(role)}; it takes ${ROLES.join(', ')}.`)
}

function typedEntry(message: JsonObject, where: string, role: Role): Entry {
  const { type, text, tool, meta } = message
  switch (type) {
    case 'text':
      if (typeof text === 'string') return { type, text, role }
      throw contextError(`${where} of type text has no text.`)
    case 'tool':
      if (isObject(tool) || typeof tool === 'string') return { type, tool: tool as never }
      throw contextError(`${where} of type tool has no tool: a map of names to schemas.`)
    case 'meta':
      if (isObject(meta)) return { type, meta: meta as Meta, role }
      throw contextError(`${where} of type meta has no meta.`)
    case 'data':
    case 'input':
    case 'state':
      return { ...dataEntry(message, type, where), role }
  }
  const hint = didYouMean(String(type), TYPES)
  throw contextError(
    `${where} is of type ${describeValue(type)}.${hint} There are ${TYPES.join(', ')}.`,
  )
}

function dataEntry(message: JsonObject, type: string, where: string): Omit<DataEntry, 'role'> {
  const { kind = type, schema, description } = message
  // Null stands for what is left out, as everywhere in the protocol.
  const [_instance, _outputMethod, _call] = ['_instance', '_outputMethod', '_call'].map(
    (field) => message[field] ?? undefined,
  )
  if (typeof kind !== 'string' || !KIND.test(kind))
    throw contextError(`${where} has kind ${describeValue(kind)}; a kind is a word.`)
  if (_instance !== undefined && (typeof _instance !== 'string' || _instance === ''))
    throw contextError(`${where} has _instance ${describeValue(_instance)}; it takes a short text.`)
  if (_outputMethod !== undefined && !isOutputMethod(_outputMethod))
    throw contextError(
      `${where} has _outputMethod ${describeValue(_outputMethod)}; it takes ${OUTPUT_METHODS.join(', ')}.`,
    )
  if (_call !== undefined && !isObject(_call))
    throw contextError(`${where} has _call ${describeValue(_call)}; it takes a call.`)
  return {
    type: 'data',
    kind,
    data: (Object.hasOwn(message, type) ? message[type] : flatPayload(message)) as Json,
    ...(isObject(schema) && { schema: schema as JsonSchema }),
    ...(typeof description === 'string' && { description }),
    ...(_instance !== undefined && { instance: _instance }),
    ...(_outputMethod !== undefined && { method: _outputMethod }),
    ...(_call !== undefined && { call: _call as unknown as Call }),
  }
}

const KIND = /^[A-Za-z_][\w-]*$/

/**
 * The payload of a flat message: `{ type: 'input', amount: 50 }` means `{ type: 'input', input: { amount:
 * 50 } }`.
 */
function flatPayload(message: JsonObject): JsonObject {
  const entries = Object.entries(message)
  return Object.fromEntries(entries.filter(([key]) => !RESERVED.has(key) && !key.startsWith('_')))
}

const MESSAGE_FIELDS: { readonly [type: string]: string } = {
  text: 'text', tool: 'tool', data: 'data', input: 'input', state: 'state', meta: 'meta',
} // prettier-ignore

/** Whether a result is a message: it has a known type, and the field of that type. */
export function isTypedMessage(x: unknown): x is AgentMessage {
  if (!isObject(x) || typeof x.type !== 'string') return false
  const field = Object.hasOwn(MESSAGE_FIELDS, x.type) ? MESSAGE_FIELDS[x.type]! : ''
  const payload = x[field]
  if (payload === undefined) return false
  return x.type === 'text' ? typeof payload === 'string' : x.type === 'data' || isObject(payload)
}

/** Whether a message only adds data: it defines no tools and has no role but the user's. */
export const isDataMessage = (x: unknown): x is AgentMessage =>
  isTypedMessage(x) &&
  ['data', 'input', 'state', 'text'].includes((x as JsonObject).type as string) &&
  [undefined, 'user'].includes((x as JsonObject).role as undefined)

const contextError = (message: string): AgentError => new AgentError('agent-context', message)
