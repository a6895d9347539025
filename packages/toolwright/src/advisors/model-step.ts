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
import type { AssistantPart } from '../messages/message.ts'
import { buildHistory } from '../memory/history-builder.ts'
import type { Prompt } from '../model/chat-model.ts'
import { promptedOutput } from '../model/prompted-output.ts'
import type { Ids } from '../ports/ids.ts'
import type { Advice, AdvisedRequest, AdvisedResponse, NextAdvisor } from './advisor.ts'
import { CallIds } from './call-ids.ts'

export function modelStep(ids: Ids): NextAdvisor {
  return (request) =>
    request.mode === 'call' ? callModel(request, ids) : streamModel(request, ids)
}

/** What a model that returned nothing has said; refused below. */
const NO_ANSWER: ChatResponse = { results: [], usage: {}, metadata: {} }

async function* callModel(request: AdvisedRequest, ids: Ids): Advice {
  const prompt = promptOf(request)
  const { model, signal } = request
  const notices: ChatEvent[] = []
  const emit = (notice: ChatEvent): void => void notices.push(notice)
  const asked = request.step('model', async () => {
    const received = await untilAborted(signal, () => model.call(prompt, { signal, emit }))
    return new CallIds(prompt.messages, ids).response(received ?? NO_ANSWER)
  })
  // Notices are told before a failure too, as a stream does.
  const response = await asked.catch(() => undefined)
  const { sink, runId, round } = request
  for (const event of [...notices, ...(response ? wholeEvents(response) : [])]) {
    const own = { runId, round, ...event }
    if (sink) sink(own)
    else yield own
  }
  return answered(request, response ?? (await asked))
}

async function* streamModel(request: AdvisedRequest, ids: Ids): Advice {
  const prompt = promptOf(request)
  const { model, signal, runId, round, sink } = request
  const response = yield* passingEvents(sink, (emit) => {
    const callIds = new CallIds(prompt.messages, ids)
    const read = async (): Promise<ChatResponse> => {
      const response = await eachOf<ChatEvent, ChatResponse>(
        model.stream(prompt, { signal }),
        (event) =>
          event.type === 'response'
            ? event.response
            : emit({ runId, round, ...callIds.event(event) }),
      )
      if (response) return callIds.response(response)
      throw new ModelResponseError(
        'incomplete-stream',
        'The model stream ended without a response.',
      )
    }
    return request.step('model', () => untilAborted(signal, read))
  })
  const end: ChatEvent = { type: 'round-end', response, runId, round }
  if (sink) sink(end)
  else yield end
  return answered(request, response)
}

function promptOf(request: AdvisedRequest): Prompt {
  request.signal.throwIfAborted()
  const prompt = { ...request.prompt, messages: buildHistory(request.prompt.messages) }
  const byWords = prompt.options?.outputSchema && !request.model.capabilities.structuredOutput
  return byWords ? promptedOutput(prompt) : prompt
}

function answered(request: AdvisedRequest, response: ChatResponse): AdvisedResponse {
  const message = response.results[0]?.message
  if (!message)
    throw new ModelResponseError('invalid-response', 'The model answered without any generation.')
  return { response, messages: [...request.prompt.messages, message], rounds: [response] }
}

/** What a stream would have said besides its deltas, and the end of the round. */
function* wholeEvents(response: ChatResponse): Iterable<ChatEvent> {
  for (const part of response.results[0] ? partsOf(response.results[0].message.content) : []) {
    if (part.type === 'tool-call') {
      yield { type: 'tool-call-start', id: part.id, name: part.name }
      yield { type: 'tool-call', toolCall: part }
    } else if (part.type !== 'text') {
      yield { type: 'part', part }
    }
  }
  yield { type: 'round-end', response }
}

const partsOf = (content: string | readonly AssistantPart[]): readonly AssistantPart[] =>
  typeof content === 'string' ? [] : content
