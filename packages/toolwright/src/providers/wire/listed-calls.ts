/**
 * The calls of an answer as a list. Some servers send a single call bare. A value that is neither a list nor a call
 * is refused instead of left out, because the model wanted something by it.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import { isJsonObject } from './wire-value.ts'

export function listedCalls(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given
  if (!given) return []
  if (isJsonObject(given)) return [given]
  throw new ModelResponseError('invalid-response', 'The answer has tool_calls that are no list.')
}
