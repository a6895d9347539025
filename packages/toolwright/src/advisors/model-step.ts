/**
 * The end of the chain: one exchange with the model. It forms the request through the history builder,
 * gives ids to calls that came without, and turns the model's own events into the run's.
 */
import { ModelResponseError } from '../errors/errors.ts'
import { eachOf } from '../internal/each-of.ts'
import { untilAborted } from '../internal/on-abort.ts'
import { passingEvents } from '../internal/while-running.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import { buildHistory } from '../memory/history-builder.ts'
import type { Prompt } from '../model/chat-model.ts'
import type { Ids } from '../ports/ids.ts'
import type { Advice, AdvisedRequest, AdvisedResponse, NextAdvisor } from './advisor.ts'
import { CallIds } from './call-ids.ts'

export function modelStep(ids: Ids): NextAdvisor {
  return (request) => askModel(request, ids)
}

async function* askModel(request: AdvisedRequest, ids: Ids): Advice {
  const prompt = promptOf(request)
  const { mode, signal, runId, round, sink } = request
  const response = yield* passingEvents(sink, (emit) => {
    const callIds = new CallIds(prompt.messages, ids)
    const told = (event: ChatEvent): void => emit({ runId, round, ...callIds.event(event) })
    const ask = async (): Promise<ChatResponse> =>
      callIds.response(
        mode === 'call'
          ? await request.model.call(prompt, { signal })
          : await readStream(request.model.stream(prompt, { signal }), told),
      )
    return request.step('model', () => untilAborted(signal, ask))
  })
  for (const event of mode === 'call' ? wholeEvents(response) : [roundEnd(response)]) {
    const own = { runId, round, ...event }
    if (sink) sink(own)
    else yield own
  }
  return answered(request, response)
}

async function readStream(
  events: AsyncIterable<ChatEvent>,
  told: (event: ChatEvent) => void,
): Promise<ChatResponse> {
  const response = await eachOf<ChatEvent, ChatResponse>(events, (event) =>
    event.type === 'response' ? event.response : void told(event),
  )
  if (response) return response
  throw new ModelResponseError('incomplete-stream', 'The model stream ended without a response.')
}

function promptOf(request: AdvisedRequest): Prompt {
  request.signal.throwIfAborted()
  return { ...request.prompt, messages: buildHistory(request.prompt.messages) }
}

function answered(request: AdvisedRequest, response: ChatResponse): AdvisedResponse {
  const message = response.results[0]?.message
  if (!message)
    throw new ModelResponseError('invalid-response', 'The model answered without any generation.')
  return { response, messages: [...request.prompt.messages, message], rounds: [response] }
}

/** What a stream would have said besides its deltas, and the end of the round. */
function* wholeEvents(response: ChatResponse): Iterable<ChatEvent> {
  const content = response.results[0]?.message.content ?? ''
  for (const part of typeof content === 'string' ? [] : content) {
    if (part.type === 'tool-call') {
      yield { type: 'tool-call-start', id: part.id, name: part.name }
      yield { type: 'tool-call', toolCall: part }
    } else if (part.type !== 'text') {
      yield { type: 'part', part }
    }
  }
  yield roundEnd(response)
}

const roundEnd = (response: ChatResponse): ChatEvent => ({ type: 'round-end', response })
