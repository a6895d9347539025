/** What the model reads of a program that has ended. */
import type { Json } from 'toolwright'
import type { ProgramEnd } from '../sandbox/sandbox.ts'
import { errorLine, programFailed, type LeftByProgram } from './program-faults.ts'

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
export function programResult(of: LeftByProgram, end: ProgramEnd): ProgramResult {
  if (!end.ok) throw programFailed(of, end.error)
  const { console, notes, unhandled } = of
  const told = end.json === undefined ? [...notes, NOTHING_RETURNED] : notes
  const failedCalls = unhandled.map(errorLine)
  return {
    result: end.json === undefined ? null : (JSON.parse(end.json) as Json),
    ...(console.length > 0 && { console }),
    ...(told.length > 0 && { notes: told }),
    ...(failedCalls.length > 0 && { failedCalls }),
  }
}

const NOTHING_RETURNED = 'The program returned nothing: return what you want to read.'
