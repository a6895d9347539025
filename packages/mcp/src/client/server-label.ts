/** What a server is called in names, notices, errors and pins, before it has said anything about itself. */
import { basename } from 'node:path'
import type { McpServer, StdioServer } from './mcp-tools-options.ts'

/** For people, and for prefixes. */
export function labelOf(server: McpServer): string {
  if ('command' in server) return programOf(server)
  return 'url' in server ? hostOf(server.url) : 'mcp'
}

/**
 * What the program configured, never what the server says of itself: a server must not reach another's pins, or lose
 * its own, by a new name.
 */
export function identityOf(server: McpServer, name: string | undefined): string {
  if (name !== undefined) return name
  if ('command' in server) return [server.command, ...(server.args ?? [])].join(' ')
  if (!('url' in server)) return 'mcp'
  const { origin, pathname } = new URL(String(server.url))
  return `${origin}${pathname}`
}

/** What runs other programs says nothing about the server: then it is the program that it is told to run. */
const RUNNERS =
  /^(?:node|npx|npm|pnpm|yarn|bun|bunx|deno|tsx|uv|uvx|pipx|python[\d.]*|docker|podman|java)$/
/** Words of runners that stand before the program. */
const SUBCOMMANDS = ['run', 'exec', 'dlx', 'x', 'tool', 'container']
/** Options of runners whose value is the next word. */
const WITH_VALUE =
  /^(?:-r|-e|-v|-p|-w|--require|--import|--loader|--experimental-loader|--env|--env-file|--volume|--mount|--name|--network|--user|--workdir|--directory|--project|--with|--from|--python|--package|--config)$/

function programOf({ command, args = [] }: StdioServer): string {
  const program = basename(command).replace(/\.(?:exe|cmd)$/i, '')
  const script = RUNNERS.test(program) ? args.find(isProgram) : undefined
  return script ? scriptName(script) : program
}

const isProgram = (word: string, at: number, words: readonly string[]): boolean =>
  !word.startsWith('-') &&
  !SUBCOMMANDS.includes(word) &&
  !RUNNERS.test(word) &&
  !WITH_VALUE.test(words[at - 1] ?? '')

/** What files and folders of many programs are called. */
const COMMON = /^(?:index|main|cli|dist|build|out|src|lib|bin|\.{0,2})$/

/** Without its ending, the version of a package or image, and its folders, unless only these tell what it is. */
function scriptName(script: string): string {
  const names = script
    .split(/[\\/]/)
    .map((name) => name.replace(/(?<=.)[@:][^@:]*$/, '').replace(/\.[cm]?[jt]s$|\.py$|\.jar$/, ''))
  return names.findLast((name) => !COMMON.test(name)) ?? names.at(-1)!
}

/** With its port, which tells two servers of one machine apart. */
const hostOf = (url: string | URL): string =>
  URL.canParse(String(url)) ? new URL(String(url)).host : 'mcp'
