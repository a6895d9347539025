/** The error for an answer that was cut: nothing of it is used, and its text is only shown. */
import { ModelResponseError, type AssistantPart } from 'toolwright'

export interface Cut {
  readonly provider: string
  /** Continues the sentence `The answer ended …`, without a full stop. */
  readonly how: string
  /** What did arrive. */
  readonly parts?: readonly AssistantPart[]
  readonly cause?: unknown
}

export function incomplete({ provider, how, parts = [], cause }: Cut): ModelResponseError {
  const partial = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return new ModelResponseError('incomplete-stream', `The answer of ${provider} ended ${how}.`, {
    partial,
    retryable: true,
    ...(cause !== undefined && { cause }),
  })
}
