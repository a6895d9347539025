/**
 * `toolwright tools <file>`: lists the tools that a file exports or MCP servers have or, with --lint, what is wrong with
 * them; for a reader or, with --json, for a program.
 */
import { command, type CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { listTools } from '../listing/list-tools.ts'
import { notOffered } from '../listing/not-offered.ts'
import { MCP_OPTIONS, TOOLS_OPTION, wantedServers } from '../mcp/mcp-options.ts'
import { withTools, type FoundTools } from '../mcp/with-tools.ts'
import { widthOf } from '../terminal/wrap.ts'

export const tools = command({
  name: 'tools',
  takes: '<file>',
  arity: [1, 1],
  variant: { options: ['mcp', 'tools'], takes: '[<file>]', arity: [0, 1] },
  summary: 'List the tools of a file or an MCP server',
  options: {
    ...MCP_OPTIONS,
    tools: TOOLS_OPTION,
    json: { type: 'boolean', help: 'Print the definitions as JSON, as a model gets them' },
    lint: { type: 'boolean', help: 'Say what makes a model choose or call them badly' },
    budget: {
      type: 'string',
      value: 'tokens',
      help: 'With --lint: tokens all definitions may take (default 10000)',
    },
  },
  notes: `
Takes tools made by tool(), arrays and records of them, providers, objects and classes with @Tool methods or
static tools, and what toolwright generate wrote beside the file.

  toolwright tools src/alarm-tools.ts
  toolwright tools src/alarm-tools.ts --json | jq '.[].name'
  toolwright tools src/alarm-tools.ts --lint
  toolwright tools --mcp 'npx -y @modelcontextprotocol/server-everything'

Exit codes: 0 done; 1 with --lint when something was found, or an MCP server does not answer; 2 a file that cannot
be loaded.`,

  async run({ arguments: given, options }, io) {
    const budget = budgetOf(options)
    const files = [...given, ...(options.tools ?? [])]
    return withTools({ files, ...wantedServers(options) }, io, async (found) => {
      if (!options.lint) return list(found, options.json ?? false, io)
      const { describeFindings, placedFindings } = await import('../lint/report-lint.ts')
      const findings = await placedFindings(originsOf(found), budget)
      io.stdout.write(options.json ? asJson(findings) : describeFindings(findings, io.cwd))
      return findings.length > 0 ? 1 : 0
    })
  },
})

function list({ tools, servers }: FoundTools, json: boolean, { stdout, stderr }: CommandIo): 0 {
  const listed = listTools(tools, widthOf(stdout))
  if (json) stdout.write(asJson(tools.map(({ definition }) => definition)))
  else stdout.write(listed === '' ? '' : `${listed}\n`)
  // In the JSON they would look as if a model got them.
  for (const line of notOffered(servers)) (json ? stderr : stdout).write(`${line}\n`)
  if (tools.length === 0) stderr.write('There are no tools.\n')
  return 0
}

const originsOf = ({ loaded, servers }: FoundTools) => [
  ...loaded,
  ...(servers?.all ?? []).map(({ chosen, tools }) => ({ file: chosen.shown, tools, files: [] })),
]

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

function budgetOf({ lint, budget }: { readonly lint?: boolean; readonly budget?: string }): {
  readonly budget?: number
} {
  if (budget === undefined) return {}
  if (!lint) throw new CommandError('--budget goes with --lint. Give both, or neither.')
  if (/^[1-9]\d{0,8}$/.test(budget)) return { budget: Number(budget) }
  throw new CommandError(`--budget takes a number of tokens, not "${budget}": --budget 10000.`)
}
