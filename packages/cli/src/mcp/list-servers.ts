/** `toolwright mcp list`: the servers of `.mcp.json`, and with --check whether each answers. Secrets are not shown. */
import type { CommandIo } from '../command/command.ts'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import { printable } from '../terminal/printable.ts'
import { McpServers } from './mcp-servers.ts'
import { FILE, ProjectFile } from './project-file.ts'
import { readEntry, showEntry } from './server-entry.ts'

export interface ListOptions {
  /** Each server is started and asked. */
  readonly check: boolean
  readonly json: boolean
  /** How long each may take. */
  readonly timeoutMs: number | undefined
}

interface ListedServer {
  readonly name: string
  /** The command or url; undefined if the entry is wrong. */
  readonly server?: string
  readonly tools?: number
  readonly notOffered?: number
  readonly problem?: string
}

export async function listServers(options: ListOptions, io: CommandIo): Promise<number> {
  const { check, json, timeoutMs } = options
  const file = ProjectFile.read(io.cwd)
  const known = [...file.servers].map(([name, value]) => listed(name, value))
  const servers = check
    ? await Promise.all(known.map((each) => checked(each, timeoutMs, io)))
    : known
  io.stdout.write(json ? `${JSON.stringify(servers, null, 2)}\n` : described(servers, io))
  if (servers.length === 0 && !json)
    io.stderr.write(
      `There are none in ${FILE}. toolwright mcp add <name> <url|command> adds one.\n`,
    )
  return check && servers.some(({ problem }) => problem !== undefined) ? 1 : 0
}

function listed(name: string, value: unknown): ListedServer {
  try {
    return { name, server: showEntry(readEntry(name, value)) }
  } catch (error) {
    if (error instanceof CommandError) return { name, problem: error.message }
    throw error
  }
}

async function checked(
  server: ListedServer,
  timeoutMs: number | undefined,
  io: CommandIo,
): Promise<ListedServer> {
  if (server.problem !== undefined) return server
  const wanted = { mcp: [server.name], trust: false, timeoutMs }
  try {
    const opened = await McpServers.open(wanted, { io })
    const counts = { tools: opened.tools.length, notOffered: opened.quarantined.length }
    await opened.close()
    return { ...server, ...counts }
  } catch (error) {
    return { ...server, problem: messageOfThrown(error) }
  }
}

function described(servers: readonly ListedServer[], { stdout }: CommandIo): string {
  const width = Math.max(0, ...servers.map(({ name }) => name.length))
  const lines = servers.flatMap(({ name, server, ...more }) => {
    const found = outcome(more)
    const head = `${name.padEnd(width)}  ${server ?? found}`
    return server === undefined || found === undefined
      ? [head]
      : [head, `${' '.repeat(width)}  ${found}`]
  })
  const text = lines.map((line) => `${line}\n`).join('')
  return stdout.isTTY ? printable(text) : text
}

function outcome({ tools, notOffered, problem }: Partial<ListedServer>): string | undefined {
  if (problem !== undefined) return problem
  if (tools === undefined) return undefined
  const count = tools === 1 ? '1 tool' : `${tools} tools`
  return `answers, ${count}${notOffered ? `, and ${notOffered} that cannot be offered` : ''}`
}
