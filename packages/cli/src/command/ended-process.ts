/**
 * User code may end the process, or await something that never comes while nothing keeps the process alive.
 * Nothing can catch that, but it can be reported, with an exit code other than 0.
 */
import type { ExitCode } from './command-error.ts'

let isLeaving = false

/** Ends the process deliberately, without a report. */
export function leave(code: number): never {
  isLeaving = true
  process.exit(code)
}

export interface Ending {
  /** Who ended the process, as the start of the message. */
  readonly by: string
  readonly exitCode: ExitCode
}

export const BY_A_TOOL: Ending = { by: 'A tool ended the process', exitCode: 1 }

/** Runs some work. If the process ends during it, that is reported. */
export async function orEnded<Result>(
  { by, exitCode }: Ending,
  work: () => Promise<Result>,
): Promise<Result> {
  const onExit = (): void => {
    if (isLeaving) return
    process.exitCode = exitCode
    process.stderr.write(
      `toolwright: ${by}: by process.exit(), or by an await that never settles. Mend it and try again.\n`,
    )
  }
  process.once('exit', onExit)
  try {
    return await work()
  } finally {
    process.off('exit', onExit)
  }
}
