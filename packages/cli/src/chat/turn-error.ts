/** Turns the error that ended a turn into a message for the user and an exit code. */
import { ToolwrightError } from 'toolwright'
import { CommandError, messageOfThrown } from '../command/command-error.ts'

/**
 * Accepts anything thrown: a provider's refusal, a tool error that must not reach the model, a bug in a
 * tool.
 */
export function turnError(error: unknown): CommandError {
  const message = messageOfThrown(error)
  // Mistakes of the program, e.g. two tools with one name, count like mistakes in the file.
  const isCallers = ToolwrightError.is(error) && error.family === 'caller'
  return new CommandError(message, { exitCode: isCallers ? 2 : 1, cause: error })
}
