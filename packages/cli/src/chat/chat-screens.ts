/** Which of the standard streams is a screen, and what goes where: the answer to stdout, the rest beside it. */
import type { CommandIo } from '../command/command.ts'
import { Screen } from '../terminal/screen.ts'
import type { TurnScreens } from './turn-view.ts'

export interface ChatScreens extends TurnScreens {
  /** Where the user's own lines are edited; undefined when nobody sits at a terminal. */
  readonly typing: NodeJS.WriteStream | undefined
}

export function chatScreens({ stdin, stdout, stderr, env }: CommandIo): ChatScreens {
  const answer = stdout.isTTY ? new Screen({ output: stdout, env }) : undefined
  const together = answer !== undefined && stderr.isTTY
  const typing = [stdout, stderr].find((stream) => stream.isTTY)
  return {
    answer,
    notes: together ? answer : new Screen({ output: stderr, env }),
    typing: stdin.isTTY ? typing : undefined,
  }
}
