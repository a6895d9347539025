/**
 * A model that makes one tool call and then stops, so that a call from the command line goes through the
 * same checks, approvals, context, progress and timeouts as a call from a model.
 */
import type { ChatEvent, ChatModel, ChatResponse, Prompt } from 'toolwright'

export interface OneCall {
  readonly tool: string
  /** JSON text. */
  readonly arguments: string
}

export function oneCallModel(call: OneCall): ChatModel {
  const answer = ({ messages }: Prompt): ChatResponse =>
    messages.at(-1)?.role === 'tool' ? DONE : asking(call)
  return {
    provider: 'command-line',
    model: 'one-call',
    capabilities: {},
    options: {},
    call: (prompt) => Promise.resolve(answer(prompt)),
    async *stream(prompt): AsyncGenerator<ChatEvent> {
      yield { type: 'response', response: answer(prompt) }
    },
  }
}

const DONE = responseOf([{ type: 'text', text: 'Done' }], 'stop')

const asking = (call: OneCall): ChatResponse =>
  responseOf(
    [{ type: 'tool-call', id: 'call', name: call.tool, arguments: call.arguments }],
    'tool-calls',
  )

type Generation = ChatResponse['results'][number]

function responseOf(
  content: Generation['message']['content'],
  finishReason: Generation['finishReason'],
): ChatResponse {
  const message = { role: 'assistant', content } as const
  return { results: [{ message, finishReason, metadata: {} }], usage: {}, metadata: {} }
}
