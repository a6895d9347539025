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
  const entries = Object.entries(value).map(([name, inner]): [string, Json] => [
    name,
    isPlain(inner) && namesSecret(name) ? REDACTED : redactJson(inner),
  ])
  return Object.fromEntries(withRedactedNames(entries))
}

/** Of a field or an error. A word, e.g. `keyPerformanceIndicators`, may look like a key and is none. */
export const redactName = (name: string): string => (WORD.test(name) ? name : redact(name))

const WORD = /^[\p{L}_$-]+$/u

/** Several names that become the same are numbered, so that no field is lost. */
export function withRedactedNames(entries: readonly [string, Json][]): readonly [string, Json][] {
  const taken = new Map<string, number>()
  return entries.map(([name, inner]) => {
    const clean = redactName(name)
    if (clean === name) return [name, inner]
    const count = (taken.get(clean) ?? 0) + 1
    taken.set(clean, count)
    return [count === 1 ? clean : `${clean} ${count}`, inner]
  })
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const isPlain = (value: Json): boolean => typeof value === 'string' || typeof value === 'number'

/** Whether what stands under this name in a text would be redacted. */
export const namesSecret = (name: string): boolean =>
  name.length <= LONGEST_NAME && !redact(`"${name}":"${VALUE}"`).includes(VALUE)

const VALUE = 'a value like any other'

/** No field has a longer one, and it would be read once more. */
const LONGEST_NAME = 256
