/**
 * The chat for programs: every event is a line of JSON on stdout. The prompt comes from the command line,
 * or any number of them from stdin, each a line of JSON: `{"prompt": "…"}`, and `{"decisions": {…}}` when a
 * run is suspended.
 */
import { addAbortSignal } from 'node:stream'
import {
  ToolwrightError,
  type ChatEvent,
  type Decisions,
  type NoticeCode,
  type RunResult,
} from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { BY_A_TOOL, orEnded } from '../command/ended-process.ts'
import { textLines } from '../command/text-lines.ts'
import { ForeignOutput } from '../terminal/foreign-output.ts'
import { jsonLine } from '../terminal/value-text.ts'
import { approveAll } from './approve-all.ts'
import type { ChatSession } from './chat-session.ts'
import { abortOnInterrupt, INTERRUPTED } from '../command/interrupts.ts'
import type { Decide } from './run-turn.ts'
import { isAnswered } from './show-turn.ts'
import { turnError } from './turn-error.ts'

/** A line on stdout: an event of the library, or why a turn ended without a response. */
export type ChatLine =
  ChatEvent | { readonly type: 'error'; readonly code: string; readonly message: string }

export interface JsonChat {
  /** Undefined: prompts come from stdin. */
  readonly prompt: string | undefined
  readonly yes: boolean
}

type Line = { readonly prompt?: string; readonly decisions?: Decisions }

export async function jsonChat(
  session: ChatSession,
  { prompt, yes }: JsonChat,
  io: CommandIo,
): Promise<number> {
  const write = io.stdout.write.bind(io.stdout)
  const foreign = new ForeignOutput([io.stdout], (text) => void io.stderr.write(text))
  const interrupts = abortOnInterrupt()
  const { signal } = interrupts
  const lines = prompt === undefined ? inputLines(io, signal) : oneLine(prompt)
  const say = (line: ChatLine): void => void write(`${lineOf(line)}\n`)
  const read = decidingBy(lines, say)
  const decide = yes ? approveAll(read) : read
  let exitCode = 0
  foreign.catch()
  try {
    for await (const line of lines) {
      await announceReload(session, say)
      const turn = session.turn({ prompt: promptOf(line), signal, decide })
      if (!(await orEnded(BY_A_TOOL, () => oneTurn(turn, say)))) exitCode = 1
    }
    return signal.aborted ? INTERRUPTED : exitCode
  } finally {
    foreign.release()
    interrupts.stop()
  }
}

/**
 * Runs a turn and returns whether there was an answer. A turn that fails is a line too, and others may
 * follow.
 */
async function oneTurn(
  turn: AsyncGenerator<ChatEvent, RunResult>,
  say: (line: ChatLine) => void,
): Promise<boolean> {
  try {
    let step = await turn.next()
    for (; !step.done; step = await turn.next()) say(step.value)
    return isAnswered(step.value)
  } catch (error) {
    // A wrong line of input is not the turn's failure.
    if (error instanceof CommandError) throw error
    const code = ToolwrightError.is(error) ? error.code : 'failed'
    say({ type: 'error', code, message: turnError(error).message })
    return false
  }
}

async function announceReload(session: ChatSession, say: (line: ChatLine) => void): Promise<void> {
  const reload = await session.refresh()
  if (!reload) return
  const code: NoticeCode = reload.kind === 'broken' ? 'tools-broken' : 'tools-reloaded'
  say({ type: 'notice', code, message: reload.message })
}

async function* oneLine(prompt: string): AsyncGenerator<Line, void> {
  yield { prompt }
}

async function* inputLines({ stdin }: CommandIo, signal: AbortSignal): AsyncGenerator<Line, void> {
  try {
    for await (const line of textLines(addAbortSignal(signal, stdin))) {
      const text = line.trim()
      if (text !== '') yield parsed(text)
    }
  } catch (thrown) {
    // An interrupt ends the input, also in the middle of a line.
    if (!signal.aborted) throw thrown
  }
}

function parsed(text: string): Line {
  try {
    const line: unknown = JSON.parse(text)
    if (typeof line === 'object' && line !== null) return line
  } catch {
    // The error below says what the line should be.
  }
  throw wrongLine(`A line on stdin is no JSON object: ${text.slice(0, 80)}.`)
}

function promptOf({ prompt }: Line): string {
  if (typeof prompt === 'string' && prompt.trim() !== '') return prompt
  throw wrongLine('A line on stdin has no prompt.')
}

/** The next line decides. If the input ends, the run stays suspended. */
const decidingBy =
  (lines: AsyncGenerator<Line, void>, say: (line: ChatLine) => void): Decide =>
  async (_pending, { refused }) => {
    if (refused) say({ type: 'error', code: 'decision-refused', message: refused.problem })
    const { value, done } = await lines.next()
    if (done) return undefined
    if (typeof value.decisions === 'object' && value.decisions !== null) return value.decisions
    throw wrongLine('The run is suspended, and the next line on stdin has no decisions.')
  }

const wrongLine = (what: string): CommandError =>
  new CommandError(
    `${what} Write {"prompt": "…"}, or {"decisions": {"<callId>": "approve"}} for a suspended run.`,
  )

/** What a tool took, returned or reported may have no JSON form; the rest of the event always has. */
function lineOf(line: ChatLine): string {
  try {
    return jsonLine(line)!
  } catch {
    const without = { value: undefined, input: undefined, progress: undefined }
    return JSON.stringify({ ...line, ...without })
  }
}
