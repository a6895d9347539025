/** What ended a turn, in words for the user, and as an exit code. */
import { ToolwrightError } from 'toolwright'
import { CommandError } from '../command/command-error.ts'

/** Whatever was thrown: a provider's refusal, a tool's error that may not be told the model, a bug in a tool. */
export function turnError(error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error)
  // A program that is wrong, two tools of one name, say, is like a file that is.
  const isCallers = ToolwrightError.is(error) && error.family === 'caller'
  return new CommandError(message, { exitCode: isCallers ? 2 : 1, cause: error })
}
