/** `toolwright playground`: a page on this machine where tools are tried out. */
import { command } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { MCP_OPTIONS, TOOLS_OPTION, wantedServers } from '../mcp/mcp-options.ts'

const LARGEST_PORT = 65_535

export const playground = command({
  name: 'playground',
  takes: '[file]',
  arity: [0, 1],
  summary: 'Try tools out on a page: call them, chat, see what happened',
  options: {
    tools: TOOLS_OPTION,
    ...MCP_OPTIONS,
    model: {
      type: 'string',
      short: 'm',
      value: 'provider:name',
      help: 'Who answers first; the demo model can always be chosen on the page',
    },
    'base-url': {
      type: 'string',
      value: 'address',
      help: 'A server that speaks as OpenAI does: http://127.0.0.1:8000/v1',
    },
    system: { type: 'string', short: 's', help: 'What the model is told first' },
    'code-mode': {
      type: 'boolean',
      help: 'The model writes programs that call the tools, instead of calling them one by one',
    },
    port: {
      type: 'string',
      value: 'number',
      help: 'Listen there (default: any port that is free)',
    },
    open: { type: 'boolean', help: 'Open the page in the browser' },
  },
  notes: `
Prints the address of the page and serves it until Ctrl-C, on this machine only. The address holds a token:
whoever has it can call your tools. Files are loaded again when they change.

  toolwright playground tools.ts --open
  toolwright playground tools.ts --mcp 'npx -y @modelcontextprotocol/server-filesystem .'
  toolwright playground tools.ts --model ollama:qwen3

The page offers the model of --model, else those whose keys are set (as toolwright chat chooses), and the demo
model, which follows rules and needs no key. Conversations are kept where toolwright chat --conversation keeps them.

Exit codes: 0 ended by Ctrl-C; 1 the port is taken, or an MCP server does not answer; 2 a wrong command line or file.`,

  async run({ arguments: given, options }, io) {
    const { tools = [], model, system, open = false } = options
    const { runPlayground } = await import('../playground/run-playground.ts')
    return runPlayground(
      {
        files: [...given, ...tools],
        servers: wantedServers(options),
        model,
        baseUrl: options['base-url'],
        system,
        codeMode: options['code-mode'] ?? false,
        port: portOf(options.port),
        open,
      },
      io,
    )
  },
})

function portOf(port: string | undefined): number {
  if (port === undefined) return 0
  if (/^\d{1,5}$/.test(port) && Number(port) <= LARGEST_PORT) return Number(port)
  throw new CommandError(`--port takes a number from 0 to ${LARGEST_PORT}, not "${port}".`)
}
