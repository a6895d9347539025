/** What a page reads of an error: words of the catalogue, or only that there was one. */
import { redact, ToolwrightError } from 'toolwright'
import type { PageError } from 'toolwright/ui'
import { Refusal } from './refusal.ts'

export type Warn = (message: string) => void

/** Errors that nobody foresaw are told to whoever started the server, not to the page. */
export function toRefusal(thrown: unknown, warn: Warn): Refusal {
  if (thrown instanceof Refusal) return thrown
  if (ToolwrightError.is(thrown)) {
    const status = thrown.name === 'PageError' ? (thrown as PageError).status : 500
    return new Refusal(status, thrown.code, { message: redact(thrown.message) })
  }
  warn(`The playground failed: ${redact(wordsOf(thrown))}`)
  return new Refusal(500, 'internal', {
    message: 'Something went wrong in the playground. Look at where it was started.',
  })
}

/** Whatever was thrown may throw again when it is read. */
export function wordsOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  } catch {
    return 'an error without words'
  }
}
