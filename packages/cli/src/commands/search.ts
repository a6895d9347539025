/** `toolwright search <file> <query>`: shows which tools a model would find for a query. */
import { keywordToolIndex } from 'toolwright/tool-search'
import { command } from '../command/command.ts'
import { limitOf } from '../command/limit-of.ts'
import { loadTools } from '../load/load-tools.ts'
import { printable } from '../terminal/printable.ts'
import { printsAside } from '../terminal/prints-aside.ts'
import { widthOf, wrap } from '../terminal/wrap.ts'

const SESSION = 'command'
const DEFAULT_LIMIT = 10

export const search = command({
  name: 'search',
  takes: '<file> <query>',
  arity: [2, 2],
  summary: 'Find the tools that fit a need in words',
  options: {
    limit: { type: 'string', value: 'number', help: `The most to show. Default ${DEFAULT_LIMIT}` },
    json: { type: 'boolean', help: 'Print name, score and summary of each as JSON' },
  },
  notes: `
Searches as toolSearchAdvisor does with its keyword index. Scores compare within one answer only.

  toolwright search tools.ts 'send somebody a message'

Exit codes: 0 something was found; 1 nothing was.`,

  async run({ arguments: [file, query], options }, io) {
    const maxResults = limitOf(options.limit) ?? DEFAULT_LIMIT
    const { tools } = await printsAside(io, () => loadTools(file!, io))
    const index = keywordToolIndex()
    await index.index(
      SESSION,
      tools.map(({ definition }) => definition),
    )
    const found = await index.search({ session: SESSION, query: query!, maxResults })
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
