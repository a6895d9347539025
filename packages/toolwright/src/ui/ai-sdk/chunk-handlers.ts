/** What each event of a run is in a UI message stream. */
import { redact } from '../../errors/redact.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { FinishReason } from '../../messages/chat-response.ts'
import type { JsonObject } from '../../messages/json.ts'
import { isEdited } from '../page/continuation.ts'
import { shownFailure } from '../shown/shown-error.ts'
import { shownJson, shownResult } from '../shown/shown-result.ts'
import { spokenText } from '../shown/spoken-text.ts'
import { sendPart } from './part-chunks.ts'
import { sendPending } from './pending-chunks.ts'
import type { UiFinishReason } from './ui-message-chunk.ts'
import type { UiMessageWriter } from './ui-message-writer.ts'

export type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { readonly type: Type }>

type Handlers = {
  readonly [Type in ChatEvent['type']]: (message: UiMessageWriter, event: EventOf<Type>) => void
}

export const CHUNK_HANDLERS: Handlers = {
  'text-delta': (message, { text }) => message.say('text', text),
  'reasoning-delta': (message, { text }) => {
    if (message.options.reasoning !== false) message.say('reasoning', text)
  },
  'tool-call-start': (message, { id, name }) => message.start(id, name),
  'tool-call-delta': (message, { id, delta }) => {
    if (message.knows(id))
      message.send({ type: 'tool-input-delta', toolCallId: id, inputTextDelta: delta })
  },
  'tool-call': (message, { toolCall }) => message.available(toolCall),
  part: (message, { part }) => sendPart(message, part),
  'tool-execution-start': (message, { toolCall, input }) => {
    // The page shows what was asked for; this is what runs.
    if (isEdited(message.options.continuation, toolCall.id))
      message.available({ ...toolCall, arguments: JSON.stringify(shownJson(input)) })
  },
  'tool-progress': (message, { toolCall, progress, label }) => {
    if (label?.private) return
    message.announce(toolCall)
    const output = shownJson(progress)
    const { id: toolCallId } = toolCall
    message.send({ type: 'tool-output-available', toolCallId, output, preliminary: true, dynamic: true }) // prettier-ignore
  },
  'tool-result': sendResult,
  suspended: (message, { pending }) => {
    message.closeBlock()
    sendPending(message, pending)
  },
  notice: (message, { code, message: words }) => {
    const data = { code, message: redact(words) }
    message.send({ type: 'data-notice', data, transient: true })
  },
  // Comes before the results of the round's calls, so the step goes on.
  'round-end': (message, { response }) => {
    if (!message.hasSaid.text) sayWhole(message, spokenText(response))
    message.closeBlock()
  },
  response: (message, { response }) => {
    const { finishReason = 'other' } = response.results[0] ?? {}
    // The results of tools are the answer, and no model said them.
    if (finishReason === 'return-direct') sayWhole(message, spokenText(response))
    message.closeStep()
    const messageMetadata = { finishReason, usage: { ...response.usage } as JsonObject }
    message.send({ type: 'finish', finishReason: FINISH_REASONS[finishReason], messageMetadata })
  },
}

function sendResult(message: UiMessageWriter, event: EventOf<'tool-result'>): void {
  const { toolCall, response } = event
  const { id: toolCallId } = toolCall
  message.closeBlock()
  message.announce(toolCall)
  if (!response.isError) {
    const output = shownResult(event, message.options)
    return message.send({ type: 'tool-output-available', toolCallId, output, dynamic: true })
  }
  if (response.denied) return message.send({ type: 'tool-output-denied', toolCallId })
  const errorText = shownFailure(event, message.options)
  message.send({ type: 'tool-output-error', toolCallId, errorText, dynamic: true })
}

function sayWhole(message: UiMessageWriter, text: string): void {
  if (text === '') return
  message.say('text', text)
  message.closeBlock()
}

const FINISH_REASONS: { readonly [reason in FinishReason]: UiFinishReason } = {
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'content-filter',
  'return-direct': 'stop',
  'stop-condition': 'stop',
  limit: 'other',
  suspended: 'tool-calls',
  error: 'error',
  other: 'other',
}
