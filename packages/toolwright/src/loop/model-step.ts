/**
 * The end of the chain: one exchange with the model. It forms the request through the history builder,
 * gives ids to calls that came without, and turns the model's own events into the run's.
 */
import { ModelResponseError } from '../errors/errors.ts'
import { appended } from '../internal/appended.ts'
import { eachOf } from '../internal/each-of.ts'
import { untilAborted } from '../internal/on-abort.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import { isChatEvent, mendedEvent } from '../messages/is-chat-event.ts'
import { isSoundResponse } from '../messages/is-sound-response.ts'
import type { AssistantMessage } from '../messages/message.ts'
import { textOf } from '../messages/reading.ts'
import type { Prompt } from '../model/chat-model.ts'
import { askedCapabilities } from '../model/asked-capabilities.ts'
import { checkChosenTool } from '../model/check-chat-options.ts'
import { promptedOutput } from '../model/prompted-output.ts'
import { loadMendResponse, loadPairHistory } from '../on-demand.ts'
import type { Ids } from '../ports/ids.ts'
import type { Watched } from '../observation/watcher.ts'
import type { AdvisedRequest } from './advisor.ts'
import type { ModelStep } from './advisor-chain.ts'
import { CallIds } from './call-ids.ts'
import { cleanHistory, isPaired } from './history-builder.ts'
import type { InsideRequest } from './inside.ts'
import { TakenIds } from './taken-ids.ts'

export function modelStep(ids: Ids): ModelStep {
  return async (request, watched) => {
    try {
      request.signal.throwIfAborted()
      const { model, prompt: given } = request
      const { options } = given
      const capabilities = askedCapabilities(model, options)
      if (typeof options?.toolChoice === 'object' && capabilities.tools !== false)
        checkChosenTool(options)
      const history = cleanHistory(given.messages)
      const sent = isPaired(history)
        ? history
        : (await loadPairHistory()).pairHistory(history, request.runId)
      const built: Prompt = { messages: sent, options: given.options }
      const isAskedByWords = given.options?.outputSchema && !capabilities.structuredOutput
      const prompt = isAskedByWords ? promptedOutput(built) : built
      const live = request.inside?.live
      live?.sending(given.messages)
      const callIds = new CallIds(ids, () =>
        (live?.takenIds ?? new TakenIds()).among(prompt.messages, live?.progress),
      )
      const exchange: Exchange = { prompt, callIds, watched, hasText: false }
      const ask = request.mode === 'call' ? callModel : streamModel
      const response = await request.step('model', () => {
        watched?.sent(prompt.messages)
        return ask(request, exchange)
      })
      if (live) live.named = response
      const message = response.results[0]?.message
      if (request.mode === 'call' && message) emitParts(request, message.content)
      const { runId, round } = request
      // A model that answers in one piece has had no deltas, nor has an answer that a durable run replays.
      const text = request.mode === 'stream' && !exchange.hasText ? textOf(response) : ''
      if (text !== '') request.emit({ type: 'text-delta', text, runId, round })
      request.emit({ type: 'round-end', response, runId, round })
      if (!message)
        throw new ModelResponseError(
          'invalid-response',
          'The model answered without any generation.',
        )
      const messages = appended(request.prompt.messages, message)
      const answer = { response, messages, rounds: [response] }
      if (watched) watched.answered(answer)
      return answer
    } catch (thrown) {
      if (watched) watched.failed(thrown)
      throw thrown
    }
  }
}

interface Exchange {
  readonly prompt: Prompt
  readonly callIds: CallIds
  readonly watched: Watched | undefined
  /** Whether a stream has shown text. */
  hasText: boolean
}

async function callModel(
  request: AdvisedRequest,
  { prompt, callIds }: Exchange,
): Promise<ChatResponse> {
  const { model, signal } = request
  const emit = (notice: ChatEvent): void => emitIn(request, notice)
  const received = await untilAborted(signal, () => model.call(prompt, { signal, emit }))
  return callIds.response(isSoundResponse(received) ? received : await mended(received))
}

const mended = async (received: unknown): Promise<ChatResponse> =>
  (await loadMendResponse()).mendResponse(received)

async function streamModel(request: InsideRequest, exchange: Exchange): Promise<ChatResponse> {
  const { model, signal, runId, round, emit } = request
  const { prompt, callIds } = exchange
  let dropped = 0
  // Taken away with the first piece, unless somebody asks for the others.
  let { watched } = exchange
  let hasBegun = false
  const events = model.stream(prompt, { signal })
  if (typeof events?.[Symbol.asyncIterator] !== 'function')
    throw (await loadMendResponse()).noStream()
  const received = await eachOf(events, signal, (emitted, isMore) => {
    // What arrived together is one chunk.
    if (watched && !(isMore && hasBegun) && isPiece(emitted, hasBegun)) {
      hasBegun = true
      if (!watched.chunk()) watched = undefined
    }
    // Most events of a stream are deltas; written out, one costs a third of what copying does.
    const delta = emitted?.runId === undefined ? emitted : undefined
    if (delta?.type === 'text-delta' && typeof delta.text === 'string') {
      exchange.hasText = true
      return void emit({ runId, round, type: delta.type, text: delta.text })
    }
    const event = isChatEvent(emitted) ? emitted : mendedEvent(emitted)
    if (!event) return void dropped++
    if (event.type === 'response') return event
    // Of a run inside the model.
    if (event.type === 'text-delta') exchange.hasText = true
    if (delta?.type === 'tool-call-delta')
      emit({ runId, round, type: delta.type, id: callIds.named(delta.id), delta: delta.delta })
    else emit({ runId, round, ...callIds.event(event) })
    return undefined
  })
  if (dropped > 0) emitIn(request, (await loadMendResponse()).droppedNotice(dropped))
  const response = received?.response
  if (received)
    return callIds.response(isSoundResponse(response) ? response : await mended(response))
  throw new ModelResponseError('incomplete-stream', 'The model stream ended without a response.')
}

/** Whether a piece of the answer came. What says again what came before is none. */
const isPiece = (event: ChatEvent | undefined, hasBegun: boolean): boolean =>
  event?.type !== 'notice' &&
  !(hasBegun && (event?.type === 'tool-call' || event?.type === 'response'))

const emitIn = ({ runId, round, emit }: AdvisedRequest, event: ChatEvent): void =>
  emit({ runId, round, ...event })

/** Emits the events that a stream would have had besides its deltas. */
function emitParts(request: AdvisedRequest, content: AssistantMessage['content']): void {
  if (typeof content === 'string') return
  for (const part of content) {
    if (part.type === 'tool-call') {
      emitIn(request, { type: 'tool-call-start', id: part.id, name: part.name })
      emitIn(request, { type: 'tool-call', toolCall: part })
    } else if (part.type !== 'text') {
      emitIn(request, { type: 'part', part })
    }
  }
}
