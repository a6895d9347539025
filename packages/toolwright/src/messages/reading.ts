/** Reads messages whose content is a string or a list of parts. */
import type { ChatResponse, Generation } from './chat-response.ts'
import type { AssistantMessage, AssistantPart, Message, ToolCall, UserPart } from './message.ts'

type Readable = Message | Generation | ChatResponse

/** The text of a message, generation or response. Text parts are joined as they are; several generations by a blank line. */
export function textOf(x: Readable): string {
  if ('results' in x) return x.results.map(textOf).join('\n\n')
  if ('message' in x) return textOf(x.message)
  if (x.role === 'tool')
    return x.responses.map((response) => textOfContent(response.content)).join('\n\n')
  return textOfContent(x.content)
}

/** The text of content that is a string or a list of parts. */
export function textOfContent(content: string | readonly (AssistantPart | UserPart)[]): string {
  if (typeof content === 'string') return content
  let text = ''
  for (const part of content) if (part.type === 'text') text += part.text
  return text
}

/** The tool calls of a message, generation or response, in the model's order. */
export function toolCallsOf(x: Readable): readonly ToolCall[] {
  if (!('role' in x)) {
    if ('message' in x) return callsIn(x.message)
    const { results } = x
    return results.length === 1 ? callsIn(results[0]!.message) : results.flatMap(toolCallsOf)
  }
  return x.role === 'assistant' ? callsIn(x) : []
}

const callsIn = ({ content }: AssistantMessage): readonly ToolCall[] =>
  typeof content === 'string' ? [] : content.filter((part) => part.type === 'tool-call')

/** The run that a message of a shared conversation is marked with. */
export const runOf = (message: Message): string | undefined =>
  message.role === 'assistant' || message.role === 'tool' ? message.runId : undefined

/** Whether the model called tools. */
export function hasToolCalls(response: ChatResponse): boolean {
  return response.results.some((generation) => toolCallsOf(generation).length > 0)
}
