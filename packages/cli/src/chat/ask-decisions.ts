/**
 * Asks the user about pending calls: whether a call may run (y, n with a reason, e to edit its arguments
 * first), what to answer to a tool's question, and the result of a tool without a body.
 */
import type { Decision, Decisions, Json, PendingCall } from 'toolwright'
import { askRemote, type FormDesk } from '../forms/ask-remote.ts'
import { remoteQuestion } from '../forms/remote-question.ts'
import { excerpt, printable } from '../terminal/printable.ts'
import type { Screen } from '../terminal/screen.ts'
import type { LineQuestion, Typed } from '../terminal/line-editor.ts'
import { YES } from '../terminal/yes.ts'
import { pretty } from './turn-view.ts'
import type { Decide } from './run-turn.ts'

export interface Asked {
  readonly screen: Screen
  /**
   * The calls were shown somewhere else, e.g. in a file, so they are shown here too: a person must not approve
   * what they cannot see.
   */
  readonly isApart?: boolean
  /** Drops what was typed before the question appeared. */
  forget(): Promise<void>
  readLine(question: LineQuestion): Promise<Typed>
}

const INPUT_SHOWN = { characters: 200, lines: 1 }

/** A decision, or undefined if the user left with Ctrl-C or Ctrl-D. */
type Answer = Promise<Decision | undefined>

/** Leaving any question ends the whole turn. */
export const askDecisions =
  (asked: Asked): Decide =>
  async (pending, { refused, problemOf }) => {
    const { screen } = asked
    if (refused) screen.block(printable(refused.problem), { style: screen.styles.red })
    const decisions: Record<string, Decision> = {}
    for (const [index, call] of pending.entries()) {
      const earlier = refused?.decisions[call.callId]
      const isAtFault = refused?.callId === undefined || refused.callId === call.callId
      if (earlier !== undefined && !isAtFault) {
        decisions[call.callId] = earlier
        continue
      }
      // Of a program's calls many may have been shown since this one.
      if (asked.isApart || pending.length > 1 || call.parentCallId !== undefined)
        screen.block(whichOf(call, `${index + 1} of ${pending.length}`))
      await asked.forget()
      const fits = wrongOrNot(screen, (given) => problemOf({ [call.callId]: given }))
      const decision = await ASKING[call.kind]({ ...asked, earlier, fits }, call)
      if (decision === undefined) return undefined
      decisions[call.callId] = decision
    }
    return decisions satisfies Decisions
  }

/** About one call. */
interface AskedOnce extends Asked {
  /** What was decided about it, and refused. */
  readonly earlier: Decision | undefined
  /** Says what is wrong at once, so that what was typed can be corrected. */
  fits(decision: Decision): Promise<boolean>
}

const wrongOrNot =
  (screen: Screen, problemOf: (decision: Decision) => Promise<string | undefined>) =>
  async (decision: Decision): Promise<boolean> => {
    const problem = await problemOf(decision)
    if (problem !== undefined) screen.block(printable(problem), { style: screen.styles.red })
    return problem === undefined
  }

const ASKING: {
  readonly [kind in PendingCall['kind']]: (asked: AskedOnce, call: PendingCall) => Answer
} = {
  approval: askApproval,
  question: askQuestion,
  result: askResult,
  // Runs of the command are not durable; a tool that is cut off ends with the command.
  'unknown-outcome': askResult,
}

async function askApproval(asked: AskedOnce, call: PendingCall): Answer {
  const { screen } = asked
  const why = call.reason === undefined ? '' : ` ${printable(call.reason)}`
  screen.block(`${name(call)} needs your approval.${why}`, {
    style: screen.styles.bold,
  })
  if (call.preview !== undefined) screen.block(inWords(call.preview), { indent: '  ' })
  for (;;) {
    const typed = await asked.readLine({ prompt: 'Run it? y/n/e > ' })
    if (typed.kind !== 'line') return undefined
    const choice = CHOICES.find(([words]) => words.test(typed.text.trim()))
    if (choice) return choice[1](asked, call)
    screen.block('y runs it, n does not, e changes its arguments first.')
  }
}

/** Whole words only: "yikes" must not approve, and "exit" must not edit. */
const CHOICES: readonly (readonly [RegExp, (asked: AskedOnce, call: PendingCall) => Answer])[] = [
  [YES, async () => 'approve'],
  [/^no?$/i, askReason],
  [/^e(?:dit)?$/i, askEdit],
]

async function askReason({ readLine }: Asked): Answer {
  const typed = await readLine({ prompt: 'Why not? (may be empty) > ' })
  if (typed.kind !== 'line') return undefined
  return { deny: typed.text.trim() || 'The user said no.' }
}

/** Lets the user edit the arguments as JSON until they fit. An empty line goes back. */
async function askEdit(asked: AskedOnce, call: PendingCall): Answer {
  const { screen, readLine, earlier, fits } = asked
  let initial = JSON.stringify(editIn(earlier) ?? call.input)
  for (;;) {
    const typed = await readLine({ prompt: 'Arguments > ', initial })
    if (typed.kind !== 'line') return undefined
    if (typed.text.trim() === '') return askApproval(asked, call)
    initial = typed.text
    const edit = jsonIn(typed.text, screen)
    if (edit !== undefined && (await fits({ edit }))) return { edit }
  }
}

const editIn = (decision: Decision | undefined): unknown =>
  (Object(decision) as { readonly edit?: unknown }).edit

function jsonIn(text: string, screen: Screen): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    screen.block(`This is no JSON: ${printable((error as Error).message)}.`, {
      style: screen.styles.red,
    })
    return undefined
  }
}

async function askQuestion(asked: Asked, call: PendingCall): Answer {
  const { bold: style } = asked.screen.styles
  const question = remoteQuestion(call.question)
  if (question) return askRemote(deskOf(asked), { toolName: call.toolName, question })
  asked.screen.block(`${name(call)} asks: ${inWords(call.question ?? null)}`, {
    style,
  })
  const typed = await asked.readLine({ prompt: 'Your answer > ' })
  if (typed.kind !== 'line') return undefined
  const text = typed.text.trim()
  return text === '' ? { deny: 'The user gave no answer.' } : { answer: valueOf(text) }
}

async function askResult(asked: AskedOnce, call: PendingCall): Answer {
  const { bold: style } = asked.screen.styles
  asked.screen.block(`${name(call)} has no body here: what does it give?`, { style })
  asked.screen.block(inWords(call.input), { indent: '  ' })
  let initial: string | undefined
  for (;;) {
    const typed = await asked.readLine({ prompt: 'Its result > ', ...(initial && { initial }) })
    if (typed.kind !== 'line') return undefined
    const text = typed.text.trim()
    if (text === '') return { deny: 'The user gave no result.' }
    const decision = { result: valueOf(text) }
    if (await asked.fits(decision)) return decision
    initial = text
  }
}

function deskOf({ screen, readLine }: Asked): FormDesk {
  const { bold, red, plain } = screen.styles
  const styles = { strong: bold, wrong: red }
  return {
    readLine,
    say: (text, how) => screen.block(text, { style: how ? styles[how] : plain, hanging: '  ' }),
  }
}

const whichOf = (call: PendingCall, number: string): string =>
  `Call ${number}: ${name(call)} ${excerpt(JSON.stringify(call.input), INPUT_SHOWN).shown}`

/** With where it was made, if a tool made it: two calls of one program may look the same. */
function name({ toolName, parentCallId, line }: PendingCall): string {
  if (parentCallId === undefined) return printable(toolName)
  const where = line === undefined ? '' : `line ${line} of `
  return `${printable(toolName)} (${where}call ${printable(parentCallId)})`
}

const inWords = (value: Json): string =>
  typeof value === 'string' ? printable(value) : pretty(value)

/** A JSON object or list is parsed; anything else is text. */
function valueOf(text: string): Json {
  if (!/^[{[]/.test(text)) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
