/** The tools that a command works with: of files, of MCP servers, or of both. The servers are closed after the work. */
import type { ToolCallback } from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import { loadAll } from '../load/load-all.ts'
import type { LoadedTools } from '../load/load-tools.ts'
import { printsAside } from '../terminal/prints-aside.ts'
import { showCommandLine } from './command-words.ts'
import type { McpServers } from './mcp-servers.ts'
import type { WantedServers } from './mcp-options.ts'
import { openServers } from './open-servers.ts'

export interface WantedTools extends WantedServers {
  readonly files: readonly string[]
  readonly signal?: AbortSignal
}

export interface FoundTools {
  readonly tools: readonly ToolCallback[]
  readonly loaded: readonly LoadedTools[]
  /** Undefined: none were asked for. */
  readonly servers: McpServers | undefined
  /** The files and servers, for messages. */
  readonly where: string
  /** The command that lists them. */
  readonly listedBy: string
}

export async function withTools<Result>(
  wanted: WantedTools,
  io: CommandIo,
  work: (found: FoundTools) => Promise<Result>,
): Promise<Result> {
  const loaded = await printsAside(io, () => loadAll(wanted.files, { cwd: io.cwd }))
  const own = loaded.flatMap(({ tools }) => tools)
  const servers = await openServers(wanted, { io, signal: wanted.signal, own: () => own })
  try {
    return await work({
      tools: [...own, ...(servers?.tools ?? [])],
      loaded,
      servers,
      where: whereOf(wanted, servers),
      listedBy: listedBy(wanted),
    })
  } finally {
    await servers?.close()
  }
}

const whereOf = ({ files }: WantedTools, servers: McpServers | undefined): string =>
  [...files, ...(servers?.all ?? []).map(({ chosen }) => chosen.name ?? chosen.shown)].join(' and ')

function listedBy({ files, mcp }: WantedTools): string {
  const more = files.slice(1).flatMap((file) => ['--tools', file])
  return showCommandLine([
    'toolwright',
    'tools',
    ...files.slice(0, 1),
    ...more,
    ...mcp.flatMap((value) => ['--mcp', value]),
  ])
}
