/** Models are written by others: not all that they return is a `ChatResponse`. */
import { USAGE_FIELDS, type ChatResponse, type Generation } from './chat-response.ts'
import { isToolCall } from './is-chat-event.ts'
import type { AssistantPart, ProviderPart } from './message.ts'

/** Whether everything is there that readers rely on. One that is not is mended (loop/mend-response.ts). */
export function isSoundResponse(x: unknown): x is ChatResponse {
  const { results, usage, metadata } = Object(x) as Partial<ChatResponse>
  return (
    Array.isArray(results) &&
    results.every(isSoundGeneration) &&
    isRecord(usage) &&
    isRecord(metadata) &&
    USAGE_FIELDS.every((field) => usage[field] === undefined || Number.isFinite(usage[field]))
  )
}

function isSoundGeneration(x: unknown): boolean {
  const { message, finishReason, metadata } = Object(x) as Partial<Generation>
  const { role, content } = Object(message) as Partial<Generation['message']>
  const isFiltered = finishReason === 'content-filter'
  return (
    role === 'assistant' &&
    typeof finishReason === 'string' &&
    isRecord(metadata) &&
    (typeof content === 'string' ||
      (Array.isArray(content) &&
        content.every((part) => isSoundPart(part) && (isFiltered || !isRefusal(part)))))
  )
}

function isSoundPart(part: AssistantPart): boolean {
  const type = part?.type
  if (type === 'tool-call') return isToolCall(part)
  if (type === 'text' || type === 'reasoning') return typeof part.text === 'string'
  return typeof type === 'string'
}

export const isRefusal = (part: AssistantPart): part is ProviderPart =>
  part.type === 'provider' && part.kind === 'refusal'

const isRecord = (x: unknown): x is object => typeof x === 'object' && x !== null
