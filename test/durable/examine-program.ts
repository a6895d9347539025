/** Holds what a program says it did, and what readers were told of it, against what the ledger says. What it gives must be empty. */
import type { ChatEvent } from 'toolwright'
import type { EffectLedger, LedgerCall } from './effect-ledger.ts'
import type { Finding } from './examine.ts'
import { PROGRAM, PROGRAM_CALLS, PROGRAM_EFFECTS } from './program-run.ts'
import type { EndedRun } from './run-desk.ts'
import { sentAs } from './twelve-steps.ts'

interface SaidCall {
  readonly toolName: string
  readonly call: number
  readonly said: string
}

export async function examineProgram(
  ledger: EffectLedger,
  run: EndedRun,
  events: readonly ChatEvent[],
): Promise<readonly Finding[]> {
  const { runId, status } = run
  const found = (problem: Finding['problem'], details: unknown): Finding => ({
    runId,
    problem,
    details: typeof details === 'string' ? details : JSON.stringify(details),
  })
  const content = contentOf(run)
  if (status !== 'done' || !content.startsWith('{"result":['))
    return [found('not-done', `${status}: ${content}`)]
  const { result: said } = JSON.parse(content) as { readonly result: readonly SaidCall[] }
  const [sent, paid] = [await ledger.sent(runId), await ledger.paid(runId)]
  const findings: Finding[] = []
  if (said.length !== PROGRAM_EFFECTS) findings.push(found('lost', said))
  for (const each of said) {
    const isSent = each.toolName === 'send'
    const rows: readonly LedgerCall[] = (isSent ? sent : paid).filter(({ call }) => call === each.call) // prettier-ignore
    if (rows.length === 0) findings.push(found('lost', each))
    if (rows.length > 1) findings.push(found('doubled', rows))
    const words = isSent
      ? sent.filter(({ call }) => call === each.call).map(({ id }) => sentAs(each.call, id))
      : [`paid ${each.call}`]
    if (!words.includes(each.said)) findings.push(found('swapped', { each, words }))
  }
  // What the program does not know of was done by another course of it.
  for (const row of [...sent, ...paid])
    if (!said.some(({ call }) => call === row.call)) findings.push(found('doubled', row))
  for (const { callId, toolName } of run.decided)
    if (toolName !== 'send') findings.push(found('asked-needlessly', callId))
  return [...findings, ...toldWrong(events).map((details) => found('told-wrong', details))]
}

/** Every call and every result is told once. */
function toldWrong(events: readonly ChatEvent[]): readonly string[] {
  const ids = [PROGRAM, ...Array.from({ length: PROGRAM_CALLS }, (_, n) => `${PROGRAM}/${n}`)]
  return (['tool-call', 'tool-result'] as const).flatMap((type) => {
    const told = events.flatMap((event) => (event.type === type ? [event.toolCall.id] : []))
    return ids.flatMap((id) => {
      const times = told.filter((each) => each === id).length
      return times === 1 ? [] : [`${type} of ${id} was told ${times} times`]
    })
  })
}

function contentOf({ messages }: EndedRun): string {
  const message = messages.findLast(({ role }) => role === 'tool')
  if (message?.role !== 'tool') return ''
  const { content } = message.responses[0]!
  return typeof content === 'string' ? content : JSON.stringify(content)
}
