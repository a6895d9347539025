/** Opens the servers that a command line asks for. Nothing of MCP is loaded where it asks for none. */
import type { ToolCallback } from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import type { WantedServers } from './mcp-options.ts'
import type { McpServers } from './mcp-servers.ts'

export interface OpenServersOptions {
  readonly io: CommandIo
  readonly signal?: AbortSignal | undefined
  /** Tools whose names the servers' must differ from, as they are now. */
  readonly own: () => readonly ToolCallback[]
}

export async function openServers(
  wanted: WantedServers,
  { io, signal, own }: OpenServersOptions,
): Promise<McpServers | undefined> {
  if (wanted.mcp.length === 0) return undefined
  const { McpServers } = await import('./mcp-servers.ts')
  return McpServers.open(wanted, { io, signal, own })
}
