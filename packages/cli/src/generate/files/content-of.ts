/** The text of a file that may not be there. */
import { readFileSync } from 'node:fs'
import { CommandError } from '../../command/command-error.ts'

/** Undefined when there is no such file; any other obstacle is the user's to remove. */
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
