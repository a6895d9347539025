/** Reads the text of a file that may be missing. */
import { readFileSync } from 'node:fs'
import { CommandError } from '../../command/command-error.ts'

/** Returns undefined if the file is missing; any other failure is reported to the user. */
export function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unreadable(file, error)
  }
}

export const unreadable = (file: string, error: unknown): CommandError =>
  new CommandError(
    `${file} cannot be read: ${(error as Error).message}. Make it readable, or delete it.`,
  )
