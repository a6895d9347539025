/** Content on its way into a trace or a log: as JSON, bounded, and without what looks like a secret. */
import { redactJson } from '../errors/redact-json.ts'
import { jsonCopy } from '../internal/json-copy.ts'
import type { Json } from '../messages/json.ts'

/** Of one message, result or value. What is left out is said where it stood. */
const MOST_CHARACTERS = 1024 * 1024

/** Undefined if the value has no JSON form. Never throws. */
export function contentOf(value: unknown): Json | undefined {
  const copy = jsonCopy(value, MOST_CHARACTERS).value
  return copy === undefined ? undefined : redactJson(copy as Json)
}
