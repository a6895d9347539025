/**
 * Runs a turn and shows it as it happens, keeps tools that print from disturbing it, and returns how it
 * ended. If stdout is not a terminal, only the complete answer is written there.
 */
import { textOf, type RunResult } from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import { BY_A_TOOL, orEnded } from '../command/ended-process.ts'
import { ForeignOutput } from '../terminal/foreign-output.ts'
import type { ChatSession } from './chat-session.ts'
import type { Decide, Turn } from './run-turn.ts'
import { TurnView, type TurnScreens } from './turn-view.ts'

export interface ShownTurn extends Pick<Turn, 'prompt' | 'signal' | 'decide'> {
  readonly screens: TurnScreens
  readonly io: CommandIo
}

export async function showTurn(
  session: ChatSession,
  { prompt, signal, decide, screens, io }: ShownTurn,
): Promise<RunResult> {
  const { stdout, stderr } = io
  const writeAnswer = stdout.write.bind(stdout) as (text: string) => void
  const view = new TurnView(screens)
  const foreign = new ForeignOutput(stderr.isTTY ? [stdout, stderr] : [stdout], (text) =>
    view.showPrinted(text),
  )
  // The user may type while deciding, and the line editor writes to the same streams.
  const undisturbed: Decide = async (...waiting) => {
    view.end()
    foreign.release()
    const decisions = await decide(...waiting)
    foreign.catch()
    return decisions
  }
  foreign.catch()
  try {
    const turn = session.turn({ prompt, signal, decide: undisturbed })
    const result = await orEnded(BY_A_TOOL, () => showEvents(turn, view))
    if (!screens.answer && isAnswered(result)) writeAnswer(`${textOf(result.response)}\n`)
    return result
  } finally {
    view.end()
    foreign.release()
  }
}

async function showEvents(
  turn: ReturnType<ChatSession['turn']>,
  view: TurnView,
): Promise<RunResult> {
  for (;;) {
    const step = await turn.next()
    if (step.done) return step.value
    view.show(step.value)
  }
}

/** A picture counts as an answer too. */
export const isAnswered = ({ status, response }: RunResult): boolean =>
  status === 'done' &&
  response.results.some(({ message: { content } }) =>
    typeof content === 'string'
      ? content !== ''
      : content.some(
          (part) => part.type !== 'reasoning' && !(part.type === 'text' && part.text === ''),
        ),
  )
