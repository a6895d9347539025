/** Keeps a command's own output clean: what a user's code prints while it runs goes to the error stream. */
import type { CommandIo } from '../command/command.ts'
import { ForeignOutput } from './foreign-output.ts'

export async function printsAside<Result>(
  { stdout, stderr }: Pick<CommandIo, 'stdout' | 'stderr'>,
  run: () => Promise<Result>,
): Promise<Result> {
  const foreign = new ForeignOutput([stdout], (text) => void stderr.write(text))
  foreign.catch()
  try {
    return await run()
  } finally {
    foreign.release()
  }
}
