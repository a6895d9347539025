/** Holds what the runs say against what the ledger says. What it gives must be empty. */
import type { Message } from 'toolwright'
import type { EffectLedger, KeyedEffect, OnceEffect } from './effect-ledger.ts'
import type { EndedRun } from './run-desk.ts'
import { CALLS, sentAs, type ScriptedToolCall } from './twelve-steps.ts'

export interface Finding {
  readonly runId: string
  readonly callId?: string
  /**
   * `not-done`: the run ended otherwise than with its answer. `lost`: an effect that the run tells of is not there.
   * `doubled`: it is there too often. `swapped`: a call has the result of something else. `asked-needlessly`: somebody
   * had to decide about a tool that may be repeated. `told-wrong`: its events are not what happened.
   */
  readonly problem: 'not-done' | 'lost' | 'doubled' | 'swapped' | 'asked-needlessly' | 'told-wrong'
  readonly details: string
}

export interface Examination {
  /**
   * A worker that was only stopped may have its effect after somebody has looked for it in vain and decided `retry`. So
   * each such decision allows one effect more. Default false: the dead do nothing.
   */
  readonly wereStopped?: boolean
}

export async function examine(
  ledger: EffectLedger,
  runs: readonly EndedRun[],
  { wereStopped = false }: Examination = {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const run of runs) {
    const [sent, paid] = [await ledger.sent(run.runId), await ledger.paid(run.runId)]
    findings.push(...ending(run))
    for (const call of CALLS) findings.push(...ofCall({ run, call, sent, paid, wereStopped }))
  }
  return findings
}

function ending({ runId, status, text }: EndedRun): readonly Finding[] {
  const expected = `All of ${runId} is done.`
  if (status === 'done' && text === expected) return []
  return [{ runId, problem: 'not-done', details: `${status}: ${text}` }]
}

interface ExaminedCall {
  readonly run: EndedRun
  readonly call: ScriptedToolCall
  readonly sent: readonly OnceEffect[]
  readonly paid: readonly KeyedEffect[]
  readonly wereStopped: boolean
}

function ofCall({ run, call, sent, paid, wereStopped }: ExaminedCall): readonly Finding[] {
  const { runId } = run
  const { callId, toolName } = call
  const found = (problem: Finding['problem'], details: string): readonly Finding[] => [
    { runId, callId, problem, details },
  ]
  const rows = (toolName === 'send' ? sent : paid).filter((row) => row.call === call.call)
  const decided = run.decided.filter((decision) => decision.callId === callId)
  const repeats = wereStopped ? decided.filter(({ decision }) => decision === 'retry').length : 0
  const said = responseTo(run.messages, callId)
  const findings = [
    ...isOneOf(expectedResults(call, rows), said).flatMap((why) => found('swapped', why)),
  ]
  if (toolName !== 'send' && decided.length > 0)
    findings.push(...found('asked-needlessly', JSON.stringify(decided)))
  if (toolName === 'look') return findings
  if (rows.length === 0) findings.push(...found('lost', `${toolName} said ${said}`))
  if (rows.length > 1 + repeats)
    findings.push(
      ...found('doubled', `${toolName} has ${rows.length} rows: ${JSON.stringify(rows)}`),
    )
  return findings
}

const isOneOf = (expected: readonly string[], said: string | undefined): readonly string[] =>
  said !== undefined && expected.includes(said) ? [] : [`${said} is none of ${expected.join()}`]

function expectedResults(
  { call, toolName }: ScriptedToolCall,
  rows: readonly (OnceEffect | KeyedEffect)[],
): readonly string[] {
  if (toolName === 'send') return rows.map((row) => sentAs(call, (row as OnceEffect).id))
  return [`${{ look: 'looked', pay: 'paid', set: 'set' }[toolName]} ${call}`]
}

function responseTo(messages: readonly Message[], callId: string): string | undefined {
  const responses = messages.flatMap((message) =>
    message.role === 'tool' ? message.responses.filter(({ id }) => id === callId) : [],
  )
  if (responses.length !== 1) return undefined
  const content = responses[0]!.content
  return typeof content === 'string' ? content : JSON.stringify(content)
}
