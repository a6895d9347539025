/** Stored messages as the page shows them: results of tools stand with the calls that they answer. */
import type { AssistantMessage, Message, ToolCall, ToolResponse, UserMessage } from 'toolwright'
import type { ShownAssistantPart, ShownCall, ShownMessage } from '../protocol/conversation.ts'
import type { ShownPart } from '../protocol/shown-content.ts'
import { callStatus } from '../shown/call-status.ts'
import { shownContent } from '../shown/shown-content.ts'
import { shownPart } from './shown-part.ts'

/** `from` is the number of the first message. */
export function shownMessages(messages: readonly Message[], from: number): readonly ShownMessage[] {
  return messages.flatMap((message, at): readonly ShownMessage[] => {
    const index = from + at
    if (message.role === 'tool') return []
    if (message.role !== 'assistant')
      return [{ index, role: message.role, parts: partsOf(message.content) }]
    return [{ index, role: 'assistant', parts: answerParts(message, answersTo(messages, at)) }]
  })
}

const partsOf = (content: UserMessage['content']): readonly ShownPart[] =>
  shownContent(content).parts

/** Results come before the next message of anybody else. Ids may repeat further on. */
function answersTo(messages: readonly Message[], at: number): ReadonlyMap<string, ToolResponse> {
  const answers = new Map<string, ToolResponse>()
  for (const message of messages.slice(at + 1)) {
    if (message.role !== 'tool') break
    for (const response of message.responses) answers.set(response.id, response)
  }
  return answers
}

function answerParts(
  { content }: AssistantMessage,
  answers: ReadonlyMap<string, ToolResponse>,
): readonly ShownAssistantPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return content.map((part) =>
    part.type === 'tool-call' ? shownCall(part, answers.get(part.id)) : shownPart(part),
  )
}

function shownCall(
  { id, name, arguments: json }: ToolCall,
  answer: ToolResponse | undefined,
): { readonly type: 'call' } & ShownCall {
  const call = { type: 'call', id, name, arguments: json } as const
  if (!answer) return call
  return {
    ...call,
    result: shownContent(answer.content),
    status: callStatus(answer),
  }
}
