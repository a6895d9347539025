/**
 * Decides which standard streams are screens, and what goes where: the answer to stdout, everything else to
 * stderr.
 */
import type { CommandIo } from '../command/command.ts'
import { Screen } from '../terminal/screen.ts'
import type { TurnScreens } from './turn-view.ts'

export interface ChatScreens extends TurnScreens {
  /** Where the user is asked and types; undefined if there is no terminal. */
  readonly typing: Typing | undefined
}

export interface Typing {
  readonly output: NodeJS.WriteStream
  /** The terminal's screen, not that of the notes if they go to a file. */
  readonly screen: Screen
}

export function chatScreens({ stdin, stdout, stderr, env }: CommandIo): ChatScreens {
  const answer = stdout.isTTY ? new Screen({ output: stdout, env }) : undefined
  const notes = answer && stderr.isTTY ? answer : new Screen({ output: stderr, env })
  const typing = answer
    ? { output: stdout, screen: answer }
    : stderr.isTTY && { output: stderr, screen: notes }
  return { answer, notes, typing: (stdin.isTTY && typing) || undefined }
}
