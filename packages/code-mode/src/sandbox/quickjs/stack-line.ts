/** The lines of a program, and how they are read from a stack trace of the engine. Its wrapper adds none before them. */

/** The name of the program's code in stack traces. */
export const PROGRAM_FILE = 'program.ts'

const MARK = `${PROGRAM_FILE}:`

/** The first line of the program that the stack names, from 1. */
export function lineIn(stack: string): number | undefined {
  const at = stack.indexOf(MARK)
  if (at < 0) return undefined
  const line = Number.parseInt(stack.slice(at + MARK.length, at + MARK.length + 10), 10)
  return Number.isNaN(line) ? undefined : line
}

export const linesOf = (code: string): number => code.split(/\r\n|[\n\r\u2028\u2029]/).length
