/** A model's answer, and its token usage. */
import type { Json } from './json.ts'
import type { AssistantMessage } from './message.ts'

/** Token counts. A field is missing if the provider did not report it. */
export interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly totalTokens?: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}

/**
 * Why an answer, or a run, ended. The loop sets `return-direct` (the results of tools are the answer),
 * `stop-condition` (`stopWhen` ended it), `limit` and `suspended`; the others come from the model.
 */
export type FinishReason =
  | 'stop'
  | 'tool-calls'
  | 'length'
  | 'content-filter'
  | 'return-direct'
  | 'stop-condition'
  | 'limit'
  | 'suspended'
  | 'error'
  | 'other'

export interface Generation {
  readonly message: AssistantMessage
  readonly finishReason: FinishReason
  /** The provider's own finish reason, if it differs from ours or says more. */
  readonly rawFinishReason?: string
  readonly metadata: { readonly [key: string]: Json }
}

export interface ChatResponse {
  readonly results: readonly Generation[]
  readonly usage: Usage
  readonly model?: string
  readonly id?: string
  readonly metadata: { readonly [key: string]: Json }
}

export const USAGE_FIELDS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const

/** Adds two usages field by field. A field that neither has stays missing. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: { -readonly [field in keyof Usage]: number } = {}
  for (const field of USAGE_FIELDS) {
    const left = a[field]
    const right = b[field]
    if (left !== undefined || right !== undefined) sum[field] = (left ?? 0) + (right ?? 0)
  }
  return sum
}
