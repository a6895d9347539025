/** Labelled questions over a catalogue: a folder with tools.jsonl and queries.jsonl. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ToolDefinition } from 'toolwright'

export interface Query {
  readonly query: string
  readonly relevant: readonly string[]
}

export interface Dataset {
  readonly name: string
  readonly tools: readonly ToolDefinition[]
  readonly queries: readonly Query[]
}

/** The folder itself, or every folder in it that is one. Smallest first. */
export function datasetsIn(folder: string): Dataset[] {
  const folders = [folder, ...subfolders(folder)]
  return folders
    .filter((each) => existsSync(join(each, 'tools.jsonl')))
    .map((each) => ({
      name: basename(each),
      tools: lines<ToolDefinition>(join(each, 'tools.jsonl')).map(toDefinition),
      queries: lines<Query>(join(each, 'queries.jsonl')).filter(isLabelled),
    }))
    .sort((a, b) => a.tools.length - b.tools.length)
}

const subfolders = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(folder, entry.name))
    : []

const isLabelled = ({ query, relevant }: Partial<Query>): boolean =>
  typeof query === 'string' && Array.isArray(relevant) && relevant.length > 0

const lines = <T>(file: string): T[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as T)
    : []

/** Without the `examples`, which the figures do without. */
const toDefinition = ({ name, description, inputSchema }: ToolDefinition): ToolDefinition => ({
  name,
  description: description ?? '',
  inputSchema: inputSchema ?? { type: 'object' },
})

/** As many tools as asked for: those of all sets, then the same under other names. */
export function catalogueOf(datasets: readonly Dataset[], size: number): ToolDefinition[] {
  const all = datasets.flatMap(({ tools }) => tools)
  const byName = new Map(all.map((tool) => [tool.name, tool]))
  const distinct = [...byName.values()]
  return Array.from({ length: distinct.length === 0 ? 0 : size }, (_none, index) => {
    const copy = Math.floor(index / distinct.length)
    const tool = distinct[index % distinct.length]!
    return copy === 0 ? tool : { ...tool, name: `${tool.name}_${copy + 1}` }
  })
}
