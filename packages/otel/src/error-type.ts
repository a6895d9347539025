/** What `error.type` says of a failure: a code of few values, never the words of an error. */
import { ToolwrightError, type ObservationOutcome } from 'toolwright'
import { OTHER } from './names.ts'

/** Undefined: it did not fail. */
export function errorType(outcome: ObservationOutcome): string | undefined {
  if (!outcome.failed) return undefined
  if (outcome.kind === 'tool' && outcome.refusal) return outcome.refusal
  try {
    const { error } = outcome
    if (ToolwrightError.is(error)) return codeWord(error.code)
    const name = error instanceof Error ? codeWord(classOf(error)) : OTHER
    // Whatever a tool throws: its classes are the application's, and may be many. An abort is the caller's.
    return outcome.kind === 'tool' && !ABORTS.has(name) ? 'tool-execution' : name
  } catch {
    // Some values throw when they are looked at.
    return OTHER
  }
}

/** An error's `name` may be set to anything; only of the platform's own it is the kind. */
const classOf = (error: Error): unknown =>
  error instanceof DOMException ? error.name : error.constructor.name

/** What `abort()` and `AbortSignal.timeout()` give for a reason. */
const ABORTS: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError'])

const WORD = /^[\w.-]{1,64}$/

/** A code as it is; whatever reads like a sentence is none. */
export const codeWord = (text: unknown): string =>
  typeof text === 'string' && WORD.test(text) ? text : OTHER
