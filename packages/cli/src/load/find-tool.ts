/** A tool by its name. */
import type { ToolCallback } from 'toolwright'
import { CommandError } from '../command/command-error.ts'
import { didYouMean } from '../command/did-you-mean.ts'

const MOST_NAMED = 20

export function findTool(tools: readonly ToolCallback[], name: string, file: string): ToolCallback {
  const found = tools.find(({ definition }) => definition.name === name)
  if (found) return found
  const names = tools.map(({ definition }) => definition.name)
  const listed = names.slice(0, MOST_NAMED).join(', ')
  const more = names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} more` : ''
  throw new CommandError(
    `${file} has no tool "${name}".${didYouMean(name, names)} It has: ${listed}${more}.`,
  )
}
