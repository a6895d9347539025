/** What a page reads of a run that failed. */
import { redact, ToolwrightError } from 'toolwright'
import type { ShownError } from '../protocol/shown-content.ts'
import { wordsOf, type Warn } from '../server/answer-error.ts'

/** Errors of the catalogue say what to do; of others only whoever started the server hears. */
export function shownError(thrown: unknown, warn: Warn): ShownError {
  if (ToolwrightError.is(thrown))
    return { code: thrown.code, message: redact(thrown.message).toWellFormed() }
  warn(`A run failed: ${redact(wordsOf(thrown))}`)
  return {
    code: 'internal',
    message:
      'The run failed with an error that is not shown here. Look at where the playground was started.',
  }
}
