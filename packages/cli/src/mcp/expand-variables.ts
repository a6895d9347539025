/** `${NAME}` and `${NAME:-otherwise}` in the values of `.mcp.json`. They are replaced when a server is used, never in the file. */
import { CommandError } from '../command/command-error.ts'

export interface Variables {
  readonly [name: string]: string | undefined
}

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

export interface Expanding {
  readonly env: Variables
  /** The server whose value it is, for the message. */
  readonly server: string
}

/** Throws `CommandError` for a variable that is not set and has no other value. The values are in no message. */
export function expandVariables(text: string, { env, server }: Expanding): string {
  return text.replace(VARIABLE, (_whole, name: string, otherwise?: string) => {
    const value = env[name] || otherwise
    if (value !== undefined) return value
    throw new CommandError(
      `The server "${server}" needs the variable ${name}, which is not set. Set it and try again.`,
    )
  })
}

export const hasVariables = (text: string): boolean => text.search(VARIABLE) !== -1
