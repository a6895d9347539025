/** Whether what an engine says of a program's end is what it can say: it comes from where the program runs. */
import type { ProgramEnd, ProgramError } from '../sandbox.ts'

const KINDS: readonly unknown[] = [
  ...['thrown', 'syntax', 'value', 'memory', 'stack'],
  ...['fuel', 'time', 'lost', 'broken'],
]
/** The prelude cuts them far below. */
const LONGEST_WORDS = 100_000
const MOST_UNHANDLED = 20

export function isSoundEnd(end: unknown, valueBytes: number): end is ProgramEnd {
  if (typeof end !== 'object' || end === null) return false
  const { ok, json, kind, error } = end as { readonly [name: string]: unknown }
  if (ok === true) return json === undefined || (typeof json === 'string' && json.length <= valueBytes) // prettier-ignore
  return ok === false && KINDS.includes(kind) && isSoundError(error)
}

export const areSoundErrors = (errors: unknown): errors is readonly ProgramError[] =>
  Array.isArray(errors) && errors.length <= MOST_UNHANDLED && errors.every(isSoundError)

function isSoundError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, message, line } = error as { readonly [name: string]: unknown }
  return isWords(name) && isWords(message) && (line === undefined || Number.isSafeInteger(line))
}

const isWords = (text: unknown): boolean => typeof text === 'string' && text.length <= LONGEST_WORDS
