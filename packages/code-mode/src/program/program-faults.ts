/** Why a program has no result, in words that the model can mend it by. */
import { ToolExecutionError } from 'toolwright'
import type { ProgramError } from '../sandbox/sandbox.ts'

/** The call that runs the program, and what it wrote so far. */
export interface FailedProgram {
  readonly toolName: string
  readonly callId: string
  readonly console: readonly string[]
}

/** Ended by itself, or by a limit. */
export const programFailed = (of: FailedProgram, error: ProgramError): ToolExecutionError =>
  failed(of, errorLine(error))

export const errorLine = ({ name, message, line }: ProgramError): string =>
  `${name}: ${message}${line === undefined ? '' : ` (line ${line})`}`

export const neverSettles = (of: FailedProgram): ToolExecutionError =>
  failed(
    of,
    'The program waits for something that never happens: it awaits a promise that no tool call settles.',
  )

export const journalFull = (of: FailedProgram, most: number): ToolExecutionError =>
  failed(
    of,
    `The program was told more than ${most} characters of results (limits.journalBytes). Ask the tools for less, or run several smaller programs.`,
  )

export const codeTooLong = (of: FailedProgram, most: number): ToolExecutionError =>
  failed(of, `The program is longer than ${most} bytes (limits.codeBytes). Write a shorter one.`)

export const placeLost = (of: FailedProgram, times: number): ToolExecutionError =>
  failed(of, `The program's place was lost ${times} times, because other programs had to be ended.`)

/** What it wrote before it failed helps to find out why. */
function failed({ toolName, callId, console }: FailedProgram, why: string): ToolExecutionError {
  const wrote = console.length === 0 ? '' : `\nconsole:\n${console.join('\n')}`
  return new ToolExecutionError(`${why}${wrote}`, { toolName, callId, code: 'program-failed' })
}
