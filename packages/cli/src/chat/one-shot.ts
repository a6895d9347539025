/**
 * One question, one answer. Only the answer goes to stdout, so that `answer=$(toolwright chat …)` holds
 * nothing else, whatever the tools print. Calls, results and notes go to stderr, or to the terminal if both
 * are the same.
 */
import type { CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { Keyboard } from '../terminal/keyboard.ts'
import { LineEditor } from '../terminal/line-editor.ts'
import { approveAll } from './approve-all.ts'
import { askDecisions } from './ask-decisions.ts'
import { chatScreens, type ChatScreens } from './chat-screens.ts'
import type { ChatSession } from './chat-session.ts'
import { abortOnInterrupt, INTERRUPTED, type Interrupts } from '../command/interrupts.ts'
import { whyNoAnswer } from './no-answer.ts'
import type { Decide } from './run-turn.ts'
import { isAnswered, showTurn } from './show-turn.ts'
import { turnError } from './turn-error.ts'

export interface OneShot {
  readonly prompt: string
  /** Approves every call that needs approval. */
  readonly yes: boolean
}

export async function oneShot(
  session: ChatSession,
  { prompt, yes }: OneShot,
  io: CommandIo,
): Promise<number> {
  const screens = chatScreens(io)
  const interrupts = abortOnInterrupt()
  const { signal } = interrupts
  const ask = askingBy(screens, io, interrupts)
  const decide = yes ? approveAll(ask) : ask
  try {
    const result = await showTurn(session, { prompt, signal, decide, screens, io })
    if (isAnswered(result)) return 0
    if (signal.aborted) return INTERRUPTED
    throw new CommandError(whyNoAnswer(result), { exitCode: 1 })
  } catch (error) {
    if (signal.aborted) return INTERRUPTED
    throw error instanceof CommandError ? error : turnError(error)
  } finally {
    interrupts.stop()
  }
}

/** The keyboard is taken only while a question is open, so that Ctrl-C is a normal signal otherwise. */
function askingBy(
  { typing, notes }: ChatScreens,
  { stdin }: CommandIo,
  interrupts: Interrupts,
): Decide {
  if (!typing) return async () => undefined
  const keyboard = new Keyboard({ stdin, output: typing.output })
  const editor = new LineEditor(keyboard, typing.output)
  const ask = askDecisions({
    screen: typing.screen,
    isApart: typing.screen !== notes,
    forget: () => keyboard.forget(),
    readLine: (question) => editor.read(question),
  })
  return async (...waiting) => {
    keyboard.open()
    const decisions = await ask(...waiting)
    keyboard.close()
    if (!decisions) interrupts.abort()
    return decisions
  }
}
