/** `toolwright mcp`: serves the tools of a file to MCP clients, and keeps the MCP servers of a project. */
import { command, type CommandInput, type CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { arrangeAdd } from '../mcp/arrange-add.ts'
import { millisecondsOf } from '../mcp/mcp-options.ts'

const OPTIONS = {
  port: {
    type: 'string',
    value: 'number',
    help: 'Serve over HTTP on this port; 0: any that is free',
  },
  host: {
    type: 'string',
    value: 'address',
    help: 'With --port: where it listens (default 127.0.0.1)',
  },
  token: {
    type: 'string',
    value: 'text',
    help: 'With --port: clients must send it; better in the variable TOOLWRIGHT_MCP_TOKEN',
  },
  name: { type: 'string', help: 'What the server calls itself (default: the name of the file)' },
  env: {
    type: 'string',
    value: 'KEY=VALUE',
    multiple: true,
    help: 'With add: a variable for the program; may be given several times',
  },
  header: {
    type: 'string',
    value: 'Name: value',
    multiple: true,
    help: 'With add: a header for the url; may be given several times',
  },
  check: { type: 'boolean', help: 'With list: start each, and say whether it answers' },
  'mcp-timeout': {
    type: 'string',
    value: 'seconds',
    help: 'With list --check: how long each may take (default 60)',
  },
  json: { type: 'boolean', help: 'With list: print JSON, for programs' },
} as const

type Input = CommandInput<typeof OPTIONS>
type Action = (input: Input, io: CommandIo) => Promise<number>

export const mcp = command({
  name: 'mcp',
  takes: '<file> | add <name> <url|command…> | list | remove <name>',
  arity: [1, Infinity],
  arrange: arrangeAdd,
  summary: 'Serve tools to MCP clients, and keep the MCP servers of a project',
  options: OPTIONS,
  notes: `
Serves the tools of a file over stdin and stdout, for programs that start it, or with --port over HTTP.
What the tools print goes to stderr. A tool that needs approval or asks is asked about at the client.

  toolwright mcp tools.ts
  TOOLWRIGHT_MCP_TOKEN=… toolwright mcp tools.ts --port 4810

add, list and remove keep servers in .mcp.json of this folder, as other MCP hosts do. --mcp <name> of chat, tools,
call and search takes one, --mcp all takes all; nothing is started without it. \${VARIABLE} in a value is replaced
when the server is used. Words after the command belong to it; behind -- all of them do.

  toolwright mcp add files npx -y @modelcontextprotocol/server-filesystem .
  toolwright mcp add tracker https://example.com/mcp --header 'Authorization: Bearer \${TRACKER_TOKEN}'
  toolwright mcp list --check

Exit codes: 0 done, or the client has left; 1 a server does not answer; 2 a wrong command line or file.`,

  async run(input, io) {
    const [word = ''] = input.arguments
    const name = Object.hasOwn(ACTIONS, word) ? word : 'serve'
    refuseForeign(name, input)
    return (ACTIONS[name] ?? serve)(input, io)
  },
})

const serve: Action = async ({ arguments: [file, tooMuch], options }, io) => {
  if (tooMuch !== undefined)
    throw new CommandError(
      `toolwright mcp serves one file; "${tooMuch}" is too much. To keep a server write toolwright mcp add.`,
    )
  const { serveFile } = await import('../mcp/serve-file.ts')
  return serveFile({ ...options, file: file! }, io)
}

const ACTIONS: { readonly [word: string]: Action } = {
  async add({ arguments: [, name, ...words], options: { env = [], header = [] } }, io) {
    const { addServer } = await import('../mcp/keep-servers.ts')
    return addServer({ name, words, env, headers: header }, io)
  },
  async list({ arguments: words, options }, io) {
    const { check = false, json = false, 'mcp-timeout': seconds } = options
    if (words.length > 1)
      throw new CommandError(`list takes no arguments; "${words[1]}" is too much.`)
    if (seconds !== undefined && !check)
      throw new CommandError('--mcp-timeout goes with --check. Give both, or neither.')
    const { listServers } = await import('../mcp/list-servers.ts')
    return listServers({ check, json, timeoutMs: millisecondsOf(seconds) }, io)
  },
  async remove({ arguments: [, name, tooMuch] }, io) {
    if (tooMuch !== undefined)
      throw new CommandError(`remove takes one name; "${tooMuch}" is too much.`)
    const { removeServer } = await import('../mcp/keep-servers.ts')
    return removeServer(name, io)
  },
}

/** The options of each action. */
const TAKEN: { readonly [action: string]: readonly string[] } = {
  serve: ['port', 'host', 'token', 'name'],
  add: ['env', 'header'],
  list: ['check', 'json', 'mcp-timeout'],
  remove: [],
}

function refuseForeign(action: string, { options }: Input): void {
  const foreign = Object.keys(options).find((name) => !TAKEN[action]!.includes(name))
  if (foreign === undefined) return
  const owner = Object.keys(TAKEN).find((each) => TAKEN[each]!.includes(foreign))
  const words = owner === 'serve' ? '<file>' : owner
  throw new CommandError(`--${foreign} goes with toolwright mcp ${words}. Leave it out here.`)
}
