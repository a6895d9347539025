/**
 * Takes what looks like a secret out of data that is kept: out of its texts, and out of fields whose name says that
 * a secret is in them. The data has been made JSON before, so it is a tree.
 */
import type { Json } from '../messages/json.ts'
import { redact, REDACTED } from './redact.ts'

/**
 * @example
 * redactJson({ password: 'hunter2', note: 'Bearer abcdefgh' }) // { password: '[redacted]', note: '[redacted]' }
 */
export function redactJson(value: Json): Json {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(redactJson)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      redact(name),
      isPlain(inner) && namesSecret(name) ? REDACTED : redactJson(inner),
    ]),
  )
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const isPlain = (value: Json): boolean => typeof value === 'string' || typeof value === 'number'

/** Whether text in which something stands under this name would be redacted. */
function namesSecret(name: string): boolean {
  const text = `"${name}":"a value like any other"`
  return name.length <= LONGEST_NAME && redact(text) !== text
}

/** No field has a longer one, and it would be read once more. */
const LONGEST_NAME = 256
