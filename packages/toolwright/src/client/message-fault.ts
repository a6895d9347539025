/** What is wrong with a message that a program gave, and what to write instead. Loaded with the first of them. */
import { ConfigurationError } from '../errors/errors.ts'
import { describeValue } from '../schema/describe-value.ts'
import { isMessagePart, MESSAGE_PARTS } from './is-message.ts'

type Fields = { readonly [name: string]: unknown }

export function messageFault(message: unknown, index: number): ConfigurationError {
  return new ConfigurationError('invalid-message', faultOf(message, `messages[${index}]`))
}

function faultOf(message: unknown, where: string): string {
  if (typeof message !== 'object' || message === null)
    return `${where} is ${describeValue(message)}; a message is an object, e.g. { role: 'user', content: '...' }.`
  const { role } = message as Fields
  if (role === 'tool') return toolFault(message as Fields, where)
  const parts = MESSAGE_PARTS.get(role)
  if (!parts) return roleFault(role, where)
  return contentFault(message as Fields, { where, parts })
}

/** What others call these roles. */
const OTHER_ROLES: ReadonlyMap<unknown, string> = new Map([
  ['developer', 'system'],
  ['human', 'user'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['bot', 'assistant'],
  ['function', 'tool'],
])

function roleFault(role: unknown, where: string): string {
  const ours = OTHER_ROLES.get(role)
  const hint = ours ? ` Write role: '${ours}'.` : ''
  return `${where} has the role ${describeValue(role)}; there are system, user, assistant and tool.${hint}`
}

function toolFault({ responses, tool_call_id, toolCallId }: Fields, where: string): string {
  const known = tool_call_id ?? toolCallId
  const id = typeof known === 'string' ? known : 'id of the call'
  const form = `{ role: 'tool', responses: [{ id: '${id}', name: 'the tool', content: '...' }] }`
  if (responses === undefined)
    return `${where} is a tool message without responses: one message holds all results of an answer. Write ${form}.`
  return `${where} is a tool message whose responses are no list of results with id and content. Write ${form}.`
}

function contentFault(
  message: Fields,
  { where, parts }: { readonly where: string; readonly parts: readonly string[] },
): string {
  const { role, content, tool_calls, toolCalls } = message
  if ((tool_calls ?? toolCalls) !== undefined)
    return `${where} has calls beside its content; they are parts of it: content: [{ type: 'tool-call', id, name, arguments: '{}' }].`
  if (role === 'system') return `${where} has the role system, and no text as its content.`
  if (!Array.isArray(content))
    return `${where} has the role ${String(role)}, and ${describeValue(content)} as its content; it takes a text or a list of parts.`
  const index = content.findIndex((part) => !isMessagePart(part, parts))
  const { type } = Object(content[index]) as Fields
  const kinds = parts.join(', ')
  return type === 'text'
    ? `${where}.content[${index}] is a part of type text without text.`
    : `${where}.content[${index}] has the type ${describeValue(type)}; a part of a message of the role ${String(role)} is of the type ${kinds}.`
}
