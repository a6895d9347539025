/** What the model reads of a program that has ended. */
import type { Json } from 'toolwright'
import type { ProgramCall } from '../sandbox/sandbox.ts'
import type { ProgramOutcome } from './drive-program.ts'
import { errorLine, programFailed } from './program-faults.ts'

export interface ProgramResult {
  /** What the program returned. */
  readonly result: Json
  /** What it wrote, line by line. */
  readonly console?: readonly string[]
  /** What happened besides, e.g. that a call was approved with other arguments. */
  readonly notes?: readonly string[]
  /** Calls that failed while nobody waited for them, and other rejections that nothing handled. */
  readonly failedCalls?: readonly string[]
}

/** Throws if the program failed. */
export function programResult(outcome: ProgramOutcome): ProgramResult {
  const { console, end, notes, unawaited, unhandled } = outcome
  if (!end.ok) throw programFailed(outcome, end.error)
  const told = end.json === undefined ? [...notes, ...nothingReturned(unawaited)] : notes
  const failedCalls = unhandled.map(errorLine)
  return {
    result: end.json === undefined ? null : (JSON.parse(end.json) as Json),
    ...(console.length > 0 && { console }),
    ...(told.length > 0 && { notes: told }),
    ...(failedCalls.length > 0 && { failedCalls }),
  }
}

const NOTHING_RETURNED = 'The program returned nothing: return what you want to read.'

/** How many calls are named that were not awaited. */
const MOST_NAMED = 3

/** Most often because an `await` is missing, in front of a call or of a function of the program's own. */
function nothingReturned(unawaited: readonly ProgramCall[]): readonly string[] {
  if (unawaited.length === 0) return [NOTHING_RETURNED]
  const named = unawaited.slice(0, MOST_NAMED).map(placeOf).join(', ')
  const more = unawaited.length - MOST_NAMED
  const all = more > 0 ? `${named} and ${more} more` : named
  return [
    NOTHING_RETURNED,
    `The program returned before it had the results of its calls: ${all}. Write await before a call, as in await ${writtenAs(unawaited[0]!)}(…), and return await before a function of yours that makes calls.`,
  ]
}

const placeOf = (call: ProgramCall): string =>
  call.line === undefined ? writtenAs(call) : `${writtenAs(call)} (line ${call.line})`

/** Names are other people's words, or the program's own. */
function writtenAs({ kind, name }: ProgramCall): string {
  if (kind === 'search') return name
  return /^[\w$]{1,100}$/.test(name)
    ? `tools.${name}`
    : `tools[${JSON.stringify(name.slice(0, 100))}]`
}
