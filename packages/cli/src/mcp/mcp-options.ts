/** The options of every command that can take the tools of MCP servers. */
import { CommandError } from '../command/command-error.ts'

export const MCP_OPTIONS = {
  mcp: {
    type: 'string',
    value: 'url|command|name',
    multiple: true,
    help: 'Tools of this MCP server; a name of .mcp.json, or all of it. Repeatable',
  },
  trust: { type: 'boolean', help: 'With --mcp: trust what these servers say of their tools' },
  'mcp-timeout': {
    type: 'string',
    value: 'seconds',
    help: 'With --mcp: how long connecting, listing and one call may take (default 60)',
  },
} as const

/** Of commands whose first argument is the file otherwise. */
export const TOOLS_OPTION = {
  type: 'string',
  short: 't',
  value: 'file',
  multiple: true,
  help: 'Tools of this file too; may be given several times',
} as const

/** What these options say. */
export interface WantedServers {
  readonly mcp: readonly string[]
  readonly trust: boolean
  readonly timeoutMs: number | undefined
}

interface Values {
  readonly mcp?: readonly string[]
  readonly trust?: boolean
  readonly 'mcp-timeout'?: string
}

export function wantedServers(values: Values): WantedServers {
  const { mcp = [], trust = false, 'mcp-timeout': seconds } = values
  if (mcp.length === 0 && (trust || seconds !== undefined))
    throw new CommandError(
      `${trust ? '--trust' : '--mcp-timeout'} goes with --mcp. Give both, or neither.`,
    )
  return { mcp, trust, timeoutMs: millisecondsOf(seconds) }
}

/** Throws `CommandError` for what is no time. */
export function millisecondsOf(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined
  if (/^\d{1,5}(\.\d+)?$/.test(seconds) && Number(seconds) > 0) return Number(seconds) * 1000
  throw new CommandError(
    `--mcp-timeout takes a number of seconds, not "${seconds}": --mcp-timeout 120.`,
  )
}
