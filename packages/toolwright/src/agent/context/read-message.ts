/** The many spellings of a context's messages, read into a few. Wrong ones are named with their place. */
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

/** Data of any spelling. */
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
/** Fields of a message that are no payload. */
const RESERVED = new Set(['type', 'role', 'kind', 'schema', 'description'])

const read = new WeakMap<AgentMessage, Entry>()

/** A message never changes, so each is read once. */
export function readMessage(message: AgentMessage, index: number): Entry {
  const known = isObject(message) && read.get(message as AgentMessage)
  if (known) return known
  const entry = entryOf(message, `context[${index}]`)
  read.set(message, entry)
  return entry
}

export const readContext = (context: readonly AgentMessage[]): readonly Entry[] =>
  context.map(readMessage)

function entryOf(message: unknown, where: string): Entry {
  if (!isObject(message)) throw invalid(`${where} is ${describeValue(message)}.`)
  if (message.type !== undefined) return typedEntry(message, where, roleOf(message, where))
  const { role, content } = message
  if (isObject(content)) return typedEntry(content, `${where}.content`, roleOf(message, where))
  const inside = role === 'tool' ? message.responses : content
  const isNative = [...ROLES, 'tool'].includes(role)
  if (isNative && (typeof inside === 'string' || Array.isArray(inside)))
    return { type: 'native', message: message as unknown as Message }
  throw invalid(`${where} has neither a type (${TYPES.join(', ')}) nor a role with content.`)
}

function roleOf({ role = 'user' }: JsonObject, where: string): Role {
  if (ROLES.includes(role)) return role as Role
  throw invalid(`${where} has role ${describeValue(role)}; it takes ${ROLES.join(', ')}.`)
}

function typedEntry(message: JsonObject, where: string, role: Role): Entry {
  const { type, text, tool, meta } = message
  switch (type) {
    case 'text':
      if (typeof text === 'string') return { type, text, role }
      throw invalid(`${where} of type text has no text.`)
    case 'tool':
      if (isObject(tool) || typeof tool === 'string') return { type, tool: tool as never }
      throw invalid(`${where} of type tool has no tool: a map of names to schemas.`)
    case 'meta':
      if (isObject(meta)) return { type, meta: meta as Meta, role }
      throw invalid(`${where} of type meta has no meta.`)
    case 'data':
    case 'input':
    case 'state':
      return { ...dataEntry(message, type, where), role }
  }
  const hint = didYouMean(String(type), TYPES)
  throw invalid(`${where} is of type ${describeValue(type)}.${hint} There are ${TYPES.join(', ')}.`)
}

function dataEntry(message: JsonObject, type: string, where: string): Omit<DataEntry, 'role'> {
  const { kind = type, schema, description, _instance, _outputMethod, _call } = message
  if (typeof kind !== 'string' || !KIND.test(kind))
    throw invalid(`${where} has kind ${describeValue(kind)}; a kind is a word.`)
  if (_instance !== undefined && (typeof _instance !== 'string' || _instance === ''))
    throw invalid(`${where} has _instance ${describeValue(_instance)}; it takes a short text.`)
  return {
    type: 'data',
    kind,
    data: (Object.hasOwn(message, type) ? message[type] : flatPayload(message)) as Json,
    ...(isObject(schema) && { schema: schema as JsonSchema }),
    ...(typeof description === 'string' && { description }),
    ...(_instance !== undefined && { instance: _instance }),
    ...(_outputMethod !== undefined && { method: _outputMethod as OutputMethod }),
    ...(_call !== undefined && { call: _call as Call }),
  }
}

const KIND = /^[A-Za-z_][\w-]*$/

/** `{ type: 'input', amount: 50 }` says the same as `{ type: 'input', input: { amount: 50 } }`. */
function flatPayload(message: JsonObject): JsonObject {
  const entries = Object.entries(message)
  return Object.fromEntries(entries.filter(([key]) => !RESERVED.has(key) && !key.startsWith('_')))
}

const MESSAGE_FIELDS: { readonly [type: string]: string } = {
  text: 'text', tool: 'tool', data: 'data', input: 'input', state: 'state', meta: 'meta',
} // prettier-ignore

/** Whether a result is itself a message: of a known type, with that type's own field. */
export function isTypedMessage(x: unknown): x is AgentMessage {
  if (!isObject(x) || typeof x.type !== 'string') return false
  const field = Object.hasOwn(MESSAGE_FIELDS, x.type) ? MESSAGE_FIELDS[x.type]! : ''
  const payload = x[field]
  if (payload === undefined) return false
  return x.type === 'text' ? typeof payload === 'string' : x.type === 'data' || isObject(payload)
}

/** One that only adds data: it neither defines tools nor speaks for somebody else than the user. */
export const isDataMessage = (x: unknown): x is AgentMessage =>
  isTypedMessage(x) &&
  ['data', 'input', 'state', 'text'].includes((x as JsonObject).type as string) &&
  [undefined, 'user'].includes((x as JsonObject).role as undefined)

const invalid = (message: string): AgentError => new AgentError('agent-context', message)
