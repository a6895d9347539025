/** A refusal as an error. Loaded with the first one. */
import { ModelResponseError, type UnfinishedResult } from '../errors/errors.ts'
import type { ChatResponse, Generation } from '../messages/chat-response.ts'
import { isRefusal } from '../messages/is-sound-response.ts'
import { textOf } from '../messages/reading.ts'

const LONGEST_SHOWN = 500

export function refusedError(
  response: ChatResponse,
  result?: UnfinishedResult,
): ModelResponseError {
  const partial = textOf(response)
  const said = response.results.map(refusalIn).filter(Boolean).join('\n\n')
  // Without words of its own for it, a provider puts them into the text, or a filter cut the text there.
  const refusal = said || partial
  const shown = JSON.stringify(refusal.slice(0, LONGEST_SHOWN).toWellFormed())
  const message = said
    ? `The model refused to answer: ${shown}.`
    : partial
      ? `The model refused to answer, or a filter stopped it. It had said: ${shown}.`
      : `The model refused to answer, or a filter stopped it, and gave no reason.`
  return new ModelResponseError('refused', message, {
    partial,
    refusal,
    ...(result && { result }),
  })
}

/** Where a refusal's own words stand: in a part of that kind, or where the adapter put what the provider said beside it. */
function refusalIn({ message: { content }, metadata }: Generation): string {
  const parts = typeof content === 'string' ? [] : content.filter(isRefusal)
  return [...parts.map(({ data }) => data), metadata['refusal']].map(wordsOf).find(Boolean) ?? ''
}

function wordsOf(data: unknown): string {
  if (typeof data === 'string') return data
  const { refusal, text } = Object(data) as { readonly [field: string]: unknown }
  return typeof refusal === 'string' ? refusal : typeof text === 'string' ? text : ''
}
