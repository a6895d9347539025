/**
 * Code that is not ours may end the process, or await what never comes while nothing else keeps the process
 * alive. Nobody is left to catch that, but it can be said, and the exit code can be another than 0.
 */
import type { ExitCode } from './command-error.ts'

let isLeaving = false

/** Ends the process, as the command itself does it. */
export function leave(code: number): never {
  isLeaving = true
  process.exit(code)
}

export interface Ending {
  /** Whose work it was. */
  readonly by: string
  readonly exitCode: ExitCode
}

export const BY_A_TOOL: Ending = { by: 'A tool ended the process', exitCode: 1 }

/** Does some work; if the process ends in the midst of it, says so. */
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
