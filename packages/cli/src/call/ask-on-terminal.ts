/** Gets decisions about a pending call from the person at the terminal, or from the command line. */
import { createInterface } from 'node:readline/promises'
import type { Decision, PendingCall } from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { askRemote, type FormDesk } from '../forms/ask-remote.ts'
import { remoteQuestion } from '../forms/remote-question.ts'
import { printable } from '../terminal/printable.ts'
import { YES } from '../terminal/yes.ts'
import { jsonOr } from './read-arguments.ts'

export interface Asking {
  readonly io: CommandIo
  readonly signal: AbortSignal
  /** Called on Ctrl-C while a question is open. */
  readonly abort: () => void
  /** `--yes` was given. */
  readonly yes: boolean
}

export function decideOnTerminal(pending: PendingCall, asking: Asking): Promise<Decision> {
  return DECIDE[pending.kind](pending, asking)
}

type Decide = (pending: PendingCall, asking: Asking) => Promise<Decision>

const DECIDE: { readonly [kind in PendingCall['kind']]: Decide } = {
  async approval({ toolName, input, reason, preview }, asking) {
    if (asking.yes) return 'approve'
    const why = reason ? ` (${reason})` : ''
    if (!canAsk(asking))
      throw no(`${toolName} needs approval${why} and did not run. Give --yes to approve it.`)
    const previewText = preview === undefined ? '' : `It would: ${inWords(preview)}\n`
    const answer = await ask(
      asking,
      `${previewText}Run ${toolName} ${inWords(input)}${why}? [y/N] `,
    )
    if (answer !== undefined && YES.test(answer.trim())) return 'approve'
    throw no(`${toolName} was not approved and did not run.`)
  },

  async question({ toolName, question }, asking) {
    const remote = remoteQuestion(question)
    const questionText = inWords(messageIn(question) ?? question ?? '')
    if (!canAsk(asking))
      throw no(`${toolName} asks: ${questionText} Call it on a terminal to answer.`)
    if (remote) {
      const decision = await askRemote(deskOf(asking), { toolName, question: remote })
      if (decision) return decision
      throw no(`${toolName} got no answer and did not finish.`)
    }
    const answer = await ask(asking, `${toolName} asks: ${questionText}\n> `)
    if (answer === undefined) throw no(`${toolName} got no answer and did not finish.`)
    return { answer: jsonOr(answer, answer) as never }
  },

  async result({ toolName }) {
    throw no(
      `${toolName} has no execute: the application supplies its result. There is nothing to run here.`,
    )
  },

  async 'unknown-outcome'({ toolName }) {
    throw no(
      `${toolName} was cut off, and nobody knows whether it had its effect. Find out before you call it again.`,
    )
  },
}

/** What a server asks, in its words; the schema of the answer is not for a sentence. */
const messageIn = (question: unknown): unknown =>
  (Object(question) as { readonly message?: unknown }).message

const no = (message: string): CommandError => new CommandError(message, { exitCode: 1 })

const canAsk = ({ io }: Asking): boolean => Boolean(io.stdin.isTTY && io.stderr.isTTY)

const inWords = (value: unknown): string =>
  printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const deskOf = (asking: Asking): FormDesk => ({
  say: (text) => void asking.io.stderr.write(`${text}\n`),
  async readLine({ prompt }) {
    const text = await ask(asking, prompt)
    return text === undefined ? { kind: 'end' } : { kind: 'line', text }
  },
})

/** Returns undefined if the input has ended. */
async function ask({ io, signal, abort }: Asking, question: string): Promise<string | undefined> {
  const lines = createInterface({ input: io.stdin, output: io.stderr })
  lines.on('SIGINT', abort)
  try {
    return await lines.question(question, { signal })
  } catch (error) {
    if (signal.aborted) throw error
    io.stderr.write('\n')
    return undefined
  } finally {
    lines.close()
  }
}
