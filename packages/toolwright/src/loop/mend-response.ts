/**
 * What a model returned or emitted, made what readers rely on: no usage is an empty one, arguments are text,
 * what has no meaning is left out. A refusal ends with `content-filter`, whatever the model said. Loaded with
 * the first answer that needs it.
 */
import { ModelResponseError } from '../errors/errors.ts'
import { notice } from '../errors/notices.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import {
  USAGE_FIELDS,
  type ChatResponse,
  type Generation,
  type Usage,
} from '../messages/chat-response.ts'
import { isRefusal } from '../messages/is-sound-response.ts'
import { mendedCall } from '../messages/mended-call.ts'
import type { AssistantMessage, AssistantPart } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'

type Fields = { readonly [field: string]: unknown }

/** Generations without a message are left out; a response without any is left to whoever asked. */
export function mendResponse(given: unknown): ChatResponse {
  const response = fieldsOf(given)
  const { results, usage, metadata, model, id } = response
  return {
    results: listOf(results).flatMap(mendedGeneration),
    usage: mendedUsage(fieldsOf(usage)),
    ...(typeof model === 'string' && { model }),
    ...(typeof id === 'string' && { id }),
    metadata: fieldsOf(metadata) as ChatResponse['metadata'],
  }
}

function mendedGeneration(given: unknown): readonly Generation[] {
  const generation = fieldsOf(given)
  const { message: said, finishReason, metadata } = generation
  if (typeof said !== 'object' || said === null) return []
  const message = mendedMessage(said as Fields)
  const hasRefused = typeof message.content !== 'string' && message.content.some(isRefusal)
  const reason = typeof finishReason === 'string' ? finishReason : reasonFor(message)
  const isRenamed = hasRefused && reason !== 'content-filter'
  return [
    {
      ...(isRenamed && { rawFinishReason: reason }),
      ...(generation as unknown as Generation),
      message,
      finishReason: (isRenamed ? 'content-filter' : reason) as Generation['finishReason'],
      metadata: fieldsOf(metadata) as Generation['metadata'],
    },
  ]
}

const reasonFor = (message: AssistantMessage): string =>
  toolCallsOf(message).length > 0 ? 'tool-calls' : 'stop'

function mendedMessage(said: Fields): AssistantMessage {
  const { content } = said
  const parts = typeof content === 'string' ? content : listOf(content).flatMap(mendedPart)
  return { ...said, role: 'assistant', content: parts.length === 0 ? '' : parts }
}

function mendedPart(given: unknown): readonly AssistantPart[] {
  const part = fieldsOf(given)
  const { type, text } = part
  if (typeof type !== 'string') return []
  if (type === 'tool-call') return [mendedCall(part)]
  const isText = type === 'text' || type === 'reasoning'
  return [(isText && typeof text !== 'string' ? { ...part, text: '' } : part) as never]
}

const mendedUsage = (usage: Fields): Usage =>
  Object.fromEntries(
    USAGE_FIELDS.flatMap((field) => (Number.isFinite(usage[field]) ? [[field, usage[field]]] : [])),
  )

const fieldsOf = (x: unknown): Fields =>
  typeof x === 'object' && x !== null && !Array.isArray(x) ? (x as Fields) : {}

const listOf = (x: unknown): readonly unknown[] => (Array.isArray(x) ? x : [])

export const noStream = (): ModelResponseError =>
  new ModelResponseError(
    'invalid-response',
    'The stream() of the model returned no AsyncIterable; write it as async *stream().',
  )

export const droppedNotice = (count: number): ChatEvent =>
  notice(
    'invalid-event',
    `The model emitted ${count} things that are no events; they were dropped.`,
  )
