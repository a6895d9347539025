/** `toolwright search <file> <query>`: shows which tools a model would find for a query. */
import { keywordToolIndex } from 'toolwright/tool-search'
import { command } from '../command/command.ts'
import { limitOf } from '../command/limit-of.ts'
import { MCP_OPTIONS, TOOLS_OPTION, wantedServers } from '../mcp/mcp-options.ts'
import { withTools } from '../mcp/with-tools.ts'
import { printable } from '../terminal/printable.ts'
import { widthOf, wrap } from '../terminal/wrap.ts'

const SESSION = 'command'
const DEFAULT_LIMIT = 10

export const search = command({
  name: 'search',
  takes: '<file> <query>',
  arity: [2, 2],
  variant: { options: ['mcp', 'tools'], takes: '<query>', arity: [1, 1] },
  summary: 'Find the tools that fit a need in words',
  options: {
    ...MCP_OPTIONS,
    tools: TOOLS_OPTION,
    limit: { type: 'string', value: 'number', help: `The most to show. Default ${DEFAULT_LIMIT}` },
    json: { type: 'boolean', help: 'Print name, score and summary of each as JSON' },
  },
  notes: `
Searches as toolSearchAdvisor does with its keyword index. Scores compare within one answer only.

  toolwright search tools.ts 'send somebody a message'
  toolwright search --mcp https://example.com/mcp 'send somebody a message'

Exit codes: 0 something was found; 1 nothing was, or an MCP server does not answer.`,

  async run({ arguments: words, options }, io) {
    const maxResults = limitOf(options.limit) ?? DEFAULT_LIMIT
    const query = words.at(-1)!
    const files = [...words.slice(0, -1), ...(options.tools ?? [])]
    const wanted = { files, ...wantedServers(options) }
    const tools = await withTools(wanted, io, async (found) => found.tools)
    const index = keywordToolIndex()
    await index.index(
      SESSION,
      tools.map(({ definition }) => definition),
    )
    const found = await index.search({ session: SESSION, query, maxResults })
    if (options.json) io.stdout.write(`${JSON.stringify(found.references, null, 2)}\n`)
    else if (found.references.length > 0)
      io.stdout.write(listFound(found.references, widthOf(io.stdout)))
    const hidden = found.total - found.references.length
    if (found.total === 0) io.stderr.write(`None of ${tools.length} tools fits "${query}".\n`)
    else if (hidden > 0) io.stderr.write(`${hidden} more; --limit ${found.total} shows them.\n`)
    return found.total === 0 ? 1 : 0
  },
})

interface Found {
  readonly name: string
  readonly score: number
  readonly summary: string
}

function listFound(references: readonly Found[], width: number): string {
  const lines = references.map(({ name, score, summary }) => {
    const text = printable(`${score.toFixed(2)}  ${name}  ${summary}`)
    return wrap(text, { width, hanging: '      ' })
  })
  return `${lines.join('\n')}\n`
}
