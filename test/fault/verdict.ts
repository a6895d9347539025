/**
 * Turns an observation into a verdict, by rule. Hard faults are those nobody should have: wrong effect,
 * poisoned history, hang, crash, silent stop and their kin. Soft ones only mean that a clear error came
 * where an answer was possible, or an error without a proper code.
 */
import { isDeepStrictEqual } from 'node:util'
import { FAULT_ANSWER, type FaultEffect, type FaultExpectation } from '@toolwright/fault-server'
import { API_KEY, type Cell, type Observation, type Outcome } from './run-scenario.ts'

export interface Verdict {
  /** `ok`: answered. `err`: a clear error, no harm. */
  readonly mark: 'ok' | 'err' | 'FAIL'
  readonly hard: readonly string[]
  readonly soft: readonly string[]
}

export function verdictOn(cell: Cell, seen: Observation): Verdict {
  const { scenario, mode } = cell
  const expected = (mode === 'call' ? scenario.expectWhole : undefined) ?? scenario.expect
  const hard = [
    ...effectFaults(expected, seen),
    ...wireFaults(expected, seen),
    ...outcomeFaults(expected, seen),
    ...harm(seen),
  ].map(shortened)
  const soft = softFaults(expected, seen).map(shortened)
  const mark = hard.length ? 'FAIL' : seen.outcome.kind === 'answer' ? 'ok' : 'err'
  return { mark, hard, soft }
}

function harm(seen: Observation): string[] {
  const faults: string[] = []
  if (seen.crashes.length) faults.push(`crash: ${String(seen.crashes[0])}`)
  if (seen.polluted) faults.push('prototype polluted')
  if (seen.openResponses) faults.push(`${seen.openResponses} connections left open`)
  return faults
}

function wireFaults(expected: FaultExpectation, seen: Observation): string[] {
  const faults: string[] = []
  const { resultIncludes, secret, memoryGrowth = Infinity } = expected
  if (seen.violations.length) faults.push(`poisoned history: ${seen.violations[0]}`)
  if (secret !== undefined && seen.bodies.some((body) => body.includes(secret)))
    faults.push('secret on the wire')
  if (seen.growth > memoryGrowth)
    faults.push(`memory: grew by ${Math.round(seen.growth / 1_048_576)} MB`)
  if (resultIncludes !== undefined && !seen.bodies.some((body) => body.includes(resultIncludes)))
    faults.push('the result of the tool was lost')
  return faults
}

function outcomeFaults(expected: FaultExpectation, seen: Observation): string[] {
  const { outcome } = seen
  if (outcome.kind === 'hang') return ['hang']
  if (outcome.kind === 'answer') return answerFaults(expected, outcome.text)
  const faults: string[] = []
  if (describeError(outcome.error).includes(API_KEY)) faults.push('API key in the error')
  if (expected.outcome === 'answer' && seen.ledger.length)
    faults.push(`died after the effect: ${String(outcome.error)}`)
  return faults
}

function answerFaults(expected: FaultExpectation, text: string): string[] {
  if (text === '') return ['silent stop']
  if (expected.outcome === 'error') return [`false success: ${JSON.stringify(text.slice(0, 80))}`]
  return text === FAULT_ANSWER ? [] : [`wrong answer: ${JSON.stringify(text.slice(0, 80))}`]
}

function softFaults(expected: FaultExpectation, { outcome, ledger }: Observation): string[] {
  if (outcome.kind !== 'error') return []
  if (expected.outcome === 'answer' && ledger.length === 0)
    return [`error where an answer was possible: ${String(outcome.error)}`]
  const code = codeOf(outcome)
  if (!expected.codes || expected.codes.includes(code)) return []
  return [`error code ${code}, expected ${expected.codes.join(' or ')}: ${String(outcome.error)}`]
}

function codeOf(outcome: Outcome & { kind: 'error' }): string {
  if (outcome.aborted) return 'aborted'
  const { error } = outcome
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : 'none'
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner = error.cause === undefined ? '' : describeError(error.cause)
  return `${error.stack} ${JSON.stringify(error)} ${inner}`
}

/** Multisets: calls of one turn may run in any order. What an error prevented is not missing. */
function effectFaults(expected: FaultExpectation, seen: Observation): string[] {
  const open = [...expected.effects]
  for (const entry of seen.ledger) {
    const found = open.findIndex((effect) => isDeepStrictEqual(effect, plain(entry)))
    if (found === -1) return [`wrong effect: ${JSON.stringify(entry)}`]
    open.splice(found, 1)
  }
  const complete = open.length === 0 || expected.effectsOptional === true
  return complete || seen.outcome.kind !== 'answer' ? [] : ['wrong effect: a call did not run']
}

/** Only data counts, not the prototype a checker gave it. */
function plain(entry: FaultEffect): FaultEffect {
  const { input } = entry
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return entry
  return { tool: entry.tool, input: JSON.parse(JSON.stringify(input)) as unknown }
}

const shortened = (fault: string): string =>
  fault.length > 300 ? `${fault.slice(0, 300)}…` : fault
