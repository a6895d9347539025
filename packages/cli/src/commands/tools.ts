/**
 * `toolwright tools <file>`: lists the tools that a file exports or, with --lint, what is wrong with them;
 * for a reader or, with --json, for a program.
 */
import { command } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { listTools } from '../listing/list-tools.ts'
import { loadTools } from '../load/load-tools.ts'
import { printsAside } from '../terminal/prints-aside.ts'
import { widthOf } from '../terminal/wrap.ts'

export const tools = command({
  name: 'tools',
  takes: '<file>',
  arity: [1, 1],
  summary: 'List the tools a file exports',
  options: {
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

Exit codes: 0 done; 1 with --lint when something was found; 2 a file that cannot be loaded.`,

  async run({ arguments: [file], options }, io) {
    const budget = budgetOf(options)
    const { stdout, cwd } = io
    const loaded = await printsAside(io, () => loadTools(file!, io))
    if (options.lint) {
      const { describeFindings, placedFindings } = await import('../lint/report-lint.ts')
      const findings = await placedFindings(loaded, budget)
      stdout.write(options.json ? asJson(findings) : describeFindings(findings, cwd))
      return findings.length > 0 ? 1 : 0
    }
    const definitions = loaded.tools.map((tool) => tool.definition)
    stdout.write(
      options.json ? asJson(definitions) : `${listTools(loaded.tools, widthOf(stdout))}\n`,
    )
    return 0
  },
})

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

function budgetOf({ lint, budget }: { readonly lint?: boolean; readonly budget?: string }): {
  readonly budget?: number
} {
  if (budget === undefined) return {}
  if (!lint) throw new CommandError('--budget goes with --lint. Give both, or neither.')
  if (/^[1-9]\d{0,8}$/.test(budget)) return { budget: Number(budget) }
  throw new CommandError(`--budget takes a number of tokens, not "${budget}": --budget 10000.`)
}
