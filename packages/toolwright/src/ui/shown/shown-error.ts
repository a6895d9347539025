/** What a page reads of an error: that there was one, unless the program shows them. */
import { ToolwrightError } from '../../errors/errors.ts'
import { messageOfThrown } from '../../errors/message-of-thrown.ts'
import { redact } from '../../errors/redact.ts'
import { textOfContent } from '../../messages/reading.ts'
import type { PageStreamOptions, ToolResultEvent } from '../stream/page-stream-options.ts'

/** Of a call that failed. */
export function shownFailure(
  { toolCall, response }: ToolResultEvent,
  { showErrors }: PageStreamOptions,
): string {
  const { content, label } = response
  if (!showErrors || label?.private) return `Tool "${toolCall.name}" failed.`
  return redact(textOfContent(content))
}

export interface ShownError {
  readonly message: string
  readonly code: string
}

/** Of a run that failed. The code is one of the catalogue, and says nothing private. */
export function shownError(thrown: unknown, { showErrors }: PageStreamOptions): ShownError {
  const code = ToolwrightError.is(thrown) ? thrown.code : 'run-failed'
  return { code, message: showErrors ? redact(messageOfThrown(thrown)) : 'The run failed.' }
}

/** Whether a run ended because somebody wanted it to. */
export function isAbort(thrown: unknown): boolean {
  if (ToolwrightError.is(thrown)) return thrown.code === 'run-abandoned'
  return thrown instanceof Error && thrown.name === 'AbortError'
}
