/** Finds tools by words, and puts them together by where they come from. */
import type { ShownTool } from '../../../src/protocol/shown-tool.ts'

export interface ToolGroup {
  readonly source: string
  readonly tools: readonly ShownTool[]
}

const texts = new WeakMap<ShownTool, string>()

/** Those that have all words somewhere in their name, title, description or source. */
export function searchTools(tools: readonly ShownTool[], query: string): readonly ShownTool[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return words.length === 0
    ? tools
    : tools.filter((tool) => words.every((word) => textOf(tool).includes(word)))
}

/** In the order in which the sources come first; in each by name, since exports of a file have no order of their own. */
export function groupBySource(tools: readonly ShownTool[]): readonly ToolGroup[] {
  const groups = new Map<string, ShownTool[]>()
  for (const tool of tools) {
    const group = groups.get(tool.source)
    if (group) group.push(tool)
    else groups.set(tool.source, [tool])
  }
  return [...groups].map(([source, each]) => ({
    source,
    tools: each.sort((one, other) => one.name.localeCompare(other.name, 'en')),
  }))
}

function textOf(tool: ShownTool): string {
  const known = texts.get(tool)
  if (known !== undefined) return known
  const { name, title = '', description, source } = tool
  const text = `${name}\n${title}\n${description}\n${source}`.toLowerCase()
  texts.set(tool, text)
  return text
}
