/** What goes wrong with the conversations that are kept, in the words of the command. */
import { ToolwrightError } from 'toolwright'
import { CommandError, messageOfThrown } from '../command/command-error.ts'

const ELSEWHERE = 'set TOOLWRIGHT_HOME to another folder'

/** By code: what is wrong with the file, and what to do. */
const KNOWN: { readonly [code: string]: string } = {
  'database-locked': `another program keeps the file locked. Let that finish, then try again, or ${ELSEWHERE}.`,
  'database-read-only': `the file cannot be written to. Make it writable, or ${ELSEWHERE}.`,
  'database-full': 'there is no room. Make room, then try again; what was stored before is there.',
  'database-newer': `a newer version of toolwright made the file. Update @toolwright/cli, or ${ELSEWHERE}.`,
  'database-unreachable': `the file cannot be opened. Check that it is one, and your rights to it and its folder, or ${ELSEWHERE}.`,
}

export function conversationError(error: unknown, file: string): CommandError {
  if (error instanceof CommandError) return error
  return new CommandError(messageOf(error, file), { cause: error })
}

function messageOf(error: unknown, file: string): string {
  const unusable = `Conversations in ${file} cannot be used:`
  if (!ToolwrightError.is(error))
    return `${unusable} ${messageOfThrown(error)}. Mend that, or ${ELSEWHERE}.`
  const known = KNOWN[error.code]
  if (known !== undefined) return `${unusable} ${known}`
  // The whole file is damaged; a row would be named in the message, without a cause.
  if (error.code === 'database-corrupt' && error.cause)
    return `${unusable} the file is damaged: ${messageOfThrown(error.cause)}. Repair it, or move it away and begin a new one.`
  return error.message
}
