/**
 * A model that makes one tool call and then stops, so that a call from outside (a command line, a protocol) goes
 * through the same checks, approvals, context, progress and timeouts as a call from a model.
 */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse, Generation } from '../messages/chat-response.ts'
import type { ChatModel, Prompt } from './chat-model.ts'

export interface OneCall {
  readonly tool: string
  /** JSON text. */
  readonly arguments: string
}

/**
 * For whoever has a call and no model. There is one way to a tool, and this leads there: the result is in the
 * `tool-result` event, a suspended call is resumed like any other.
 *
 * @example
 * const model = oneCallModel({ tool: 'setAlarm', arguments: '{"time":"07:00"}' })
 * const run = ChatClient.create(model, { tools: [setAlarm] }).prompt('One call').stream()
 */
export function oneCallModel(call: OneCall): ChatModel {
  const answer = ({ messages }: Prompt): ChatResponse =>
    messages.at(-1)?.role === 'tool' ? DONE : asking(call)
  const model: ChatModel & { readonly asksNobody: true } = {
    provider: 'toolwright',
    model: 'one-call',
    capabilities: {},
    options: {},
    // For those who watch.
    asksNobody: true,
    call: (prompt) => Promise.resolve(answer(prompt)),
    async *stream(prompt): AsyncGenerator<ChatEvent> {
      yield { type: 'response', response: answer(prompt) }
    },
  }
  return model
}

const DONE = /* @__PURE__ */ responseOf([{ type: 'text', text: 'Done' }], 'stop')

const asking = (call: OneCall): ChatResponse =>
  responseOf(
    [{ type: 'tool-call', id: 'call', name: call.tool, arguments: call.arguments }],
    'tool-calls',
  )

function responseOf(
  content: Generation['message']['content'],
  finishReason: Generation['finishReason'],
): ChatResponse {
  const message = { role: 'assistant', content } as const
  return { results: [{ message, finishReason, metadata: {} }], usage: {}, metadata: {} }
}
