/** Names for the tools of several servers: one that two of them have, or a file has too, gets the server's name before it. */
import type { ToolCallback } from 'toolwright'

const LONGEST_PREFIX = 32
/** Of a name that models take. */
const LONGEST_NAME = 64

export interface ServerList {
  /** What the server is called. */
  readonly label: string
  readonly tools: readonly ToolCallback[]
}

export interface Names {
  /** Names that no server may have. */
  readonly taken: ReadonlySet<string>
  /** Names that clashed. They stay here, so that a tool does not change its name back when another one leaves. */
  readonly clashed: Set<string>
}

/** Of two that clash neither keeps its name: which one is meant then does not depend on the order of the servers. */
export function tellApart(
  lists: readonly ServerList[],
  { taken, clashed }: Names,
): readonly (readonly ToolCallback[])[] {
  const names = lists.flatMap(({ tools }) => tools.map(nameOf))
  names.forEach((name, at) => {
    if (taken.has(name) || names.indexOf(name) < at) clashed.add(name)
  })
  const used = new Set([...taken, ...names])
  const prefixes = prefixesOf(lists)
  return lists.map(({ tools }, at) =>
    tools.map((tool) => {
      if (!clashed.has(nameOf(tool))) return tool
      const other = freeName(prefixes[at]!, nameOf(tool), used)
      used.add(other)
      return renamed(tool, other)
    }),
  )
}

const nameOf = ({ definition }: ToolCallback): string => definition.name

/** The tool itself is called as before; its server does not know the name that it has here. */
const renamed = (tool: ToolCallback, name: string): ToolCallback => ({
  ...tool,
  definition: { ...tool.definition, name },
})

/** Each server's own, also if two are called the same. */
function prefixesOf(lists: readonly ServerList[]): readonly string[] {
  const labels = lists.map(({ label }) => cleaned(label) || 'mcp')
  return labels.map((label, at) => (labels.indexOf(label) === at ? label : `${label}${at + 1}`))
}

const cleaned = (label: string): string =>
  label
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, LONGEST_PREFIX)

function freeName(prefix: string, name: string, used: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const other = `${prefix}${number === 1 ? '' : number}_${name}`.slice(0, LONGEST_NAME)
    if (!used.has(other)) return other
  }
}
