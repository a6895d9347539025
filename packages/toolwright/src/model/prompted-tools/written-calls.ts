/** Calls and results of a conversation in the notation in which the model is asked to write calls. */
import { isJson } from '../../internal/is-json.ts'
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCall,
  ToolMessage,
  ToolResponse,
  UserMessage,
  UserPart,
} from '../../messages/message.ts'

/** The same list where there is nothing to write. */
export function writtenCalls(messages: readonly Message[]): readonly Message[] {
  const written = messages.map((message): Message => {
    if (message.role === 'tool') return resultsMessage(message)
    return message.role === 'assistant' ? callsMessage(message) : message
  })
  return written.every((message, index) => message === messages[index]) ? messages : written
}

function callsMessage(message: AssistantMessage): AssistantMessage {
  const { content } = message
  if (typeof content === 'string' || !content.some((part) => part.type === 'tool-call'))
    return message
  return { ...message, content: content.map(writtenPart) }
}

function writtenPart(part: AssistantPart, position: number): AssistantPart {
  if (part.type !== 'tool-call') return part
  return { type: 'text', text: `${position === 0 ? '' : '\n'}${written(part)}` }
}

const written = ({ name, arguments: text }: ToolCall): string =>
  `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${sound(text)}}\n</tool_call>`

/** Arguments that were no JSON stay readable as a text. */
const sound = (text: string): string => (isJson(text) ? text : JSON.stringify(text))

function resultsMessage({ responses }: ToolMessage): UserMessage {
  const parts = responses.flatMap(resultParts)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { role: 'user', content: texts.length === parts.length ? texts.join('\n') : parts }
}

/** Media follow the block that names them. */
function resultParts({ name, content, isError }: ToolResponse): readonly UserPart[] {
  const parts: readonly UserPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const texts = parts.map((part) => (part.type === 'text' ? part.text : `[${part.type} below]`))
  const opening = `<tool_result name=${JSON.stringify(name)}${isError ? ' error="true"' : ''}>`
  const text = `${opening}\n${texts.map(contained).join('\n')}\n</tool_result>`
  return [{ type: 'text', text }, ...parts.filter((part) => part.type !== 'text')]
}

/** What a tool returned must not look like the end of its result. */
const contained = (text: string): string => text.replaceAll(/<(?=\/tool_result\b)/gi, '&lt;')
