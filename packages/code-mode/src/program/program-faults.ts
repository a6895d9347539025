/** Why a program has no result, in words that the model can mend it by. */
import { ToolExecutionError } from 'toolwright'
import type { ProgramError } from '../sandbox/sandbox.ts'

/** The call that runs the program, and what it has left so far. */
export interface LeftByProgram {
  readonly toolName: string
  readonly callId: string
  readonly console: readonly string[]
  readonly notes: readonly string[]
  /** Failures that no code of the program has handled. */
  readonly unhandled: readonly ProgramError[]
}

/** Ended by itself, or by a limit. */
export const programFailed = (of: LeftByProgram, error: ProgramError): ToolExecutionError =>
  failed(of, errorLine(error))

export const errorLine = ({ name, message, line }: ProgramError): string =>
  `${name}: ${message}${line === undefined ? '' : ` (line ${line})`}`

export const neverSettles = (of: LeftByProgram): ToolExecutionError =>
  failed(
    of,
    'The program waits for something that never happens: it awaits a promise that no tool call settles.',
  )

export const journalFull = (of: LeftByProgram, most: number): ToolExecutionError =>
  failed(
    of,
    `The program was told more than ${most} characters of results (limits.journalBytes). Ask the tools for less, or run several smaller programs.`,
  )

export const codeTooLong = (of: LeftByProgram, most: number): ToolExecutionError =>
  failed(of, `The program is longer than ${most} bytes (limits.codeBytes). Write a shorter one.`)

export const placeLost = (of: LeftByProgram, times: number): ToolExecutionError =>
  failed(of, `The program's place was lost ${times} times, because other programs had to be ended.`)

/**
 * Its calls had their effects all the same, so the model reads what was changed of them and which failed. What it wrote helps
 * to find out why; it comes last, because it may be long and results are cut.
 */
function failed(of: LeftByProgram, why: string): ToolExecutionError {
  const { toolName, callId, notes, unhandled, console } = of
  const told = [
    why,
    ...listed('notes', notes),
    ...listed('failed calls', unhandled.map(errorLine)),
    ...listed('console', console),
  ]
  return new ToolExecutionError(told.join('\n'), { toolName, callId, code: 'program-failed' })
}

const listed = (what: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${what}:`, ...lines]
