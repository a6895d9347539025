/** What went wrong with an MCP server, in the words of the command, with the command or address that was tried. */
import { ToolwrightError } from 'toolwright'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import type { ChosenServer } from './choose-servers.ts'

/** The library names its own options; here they are options of the command. */
const NEXT: { readonly [code: string]: string } = {
  'mcp-unauthorized':
    "Keep it with what it wants: toolwright mcp add <name> <url> --header 'Authorization: Bearer ${TOKEN}'.",
}

export function serverError(error: unknown, { name, shown }: ChosenServer): CommandError {
  if (error instanceof CommandError) return error
  const who = name === undefined ? shown : `"${name}", ${shown}`
  const next = ToolwrightError.is(error) ? NEXT[error.code] : undefined
  const message = [messageOfThrown(error), next].filter(Boolean).join(' ')
  return new CommandError(`The MCP server ${who} cannot be used. ${message}`, {
    exitCode: 1,
    cause: error,
  })
}
