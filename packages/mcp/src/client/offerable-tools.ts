/** Sorts the entries of a server's list: what can be offered, under which name, and what cannot, and why. */
import type { ToolCallback } from 'toolwright'
import { offeredName } from '../remote/tool-names.ts'
import type { ServerParts } from './call-remote.ts'
import type { QuarantinedTool } from './mcp-tools-options.ts'
import { readDefinition, type ReadDefinition, type RemoteDefinition } from './remote-definition.ts'
import { remoteTool } from './remote-tool.ts'

/** A tool that can be offered under this name, or another. */
export interface OfferableTool {
  readonly name: string
  readonly remoteName: string
  /** Whether the program named it. */
  readonly isRenamed: boolean
  as(name: string): ToolCallback
}

export interface SortedTools {
  readonly tools: readonly OfferableTool[]
  readonly quarantined: readonly QuarantinedTool[]
  /** Sentences about what was changed. */
  readonly notes: readonly string[]
}

/** @param changed names of tools that are others than when they were pinned */
export function sortTools(
  entries: readonly unknown[],
  changed: ReadonlySet<string>,
  parts: ServerParts,
): SortedTools {
  const tools = new Map<string, OfferableTool>()
  const remoteNames = new Set<string>()
  const quarantined: QuarantinedTool[] = []
  const notes: string[] = []
  const reasonAgainst = (read: ReadDefinition, name: string): string | undefined => {
    if ('fault' in read) return read.fault
    if (changed.has(read.name)) return 'it changed since it was pinned'
    if (remoteNames.has(read.name)) return 'the list has it twice'
    return tools.has(name) ? `its name here, "${name}", is taken by another tool` : undefined
  }
  for (const entry of entries) {
    const read = readDefinition(entry)
    const name = offeredName(read.name, parts.options)
    const reason = reasonAgainst(read, name)
    const offerable =
      reason === undefined
        ? offer(read as RemoteDefinition, name, parts)
        : { name: read.name, reason }
    remoteNames.add(read.name)
    if ('reason' in offerable) {
      quarantined.push(offerable)
      continue
    }
    tools.set(name, offerable)
    if ((read as RemoteDefinition).hadHidden)
      notes.push(
        `Hidden characters were taken out of the words of tool "${name}" of server "${parts.label}".`,
      )
  }
  return { tools: [...tools.values()], quarantined, notes }
}

function offer(
  definition: RemoteDefinition,
  name: string,
  parts: ServerParts,
): OfferableTool | QuarantinedTool {
  const { rename } = parts.options
  const made = new Map<string, ToolCallback>()
  const as = (wanted: string): ToolCallback => {
    const callback = made.get(wanted) ?? remoteTool(wanted, definition, parts)
    made.set(wanted, callback)
    return callback
  }
  try {
    as(name)
  } catch (thrown) {
    return {
      name: definition.name,
      reason: thrown instanceof Error ? thrown.message : String(thrown),
    }
  }
  const isRenamed = rename !== undefined && Object.hasOwn(rename, definition.name)
  return { name, remoteName: definition.name, isRenamed, as }
}
