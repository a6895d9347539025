/** The tools of MCP servers that are not offered to a model, with the reasons. */
import type { McpServers } from '../mcp/mcp-servers.ts'

/** Lines for a reader; none if every tool is offered. */
export function notOffered(
  servers: Pick<McpServers, 'quarantined'> | undefined,
): readonly string[] {
  const lines = servers?.quarantined ?? []
  return lines.length === 0 ? [] : ['', 'Not offered:', ...lines.map((line) => `- ${line}`)]
}
