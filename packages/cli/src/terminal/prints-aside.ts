/** Keeps a command's output clean: what user code prints while it runs goes to stderr. */
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
