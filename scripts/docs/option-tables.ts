/**
 * The tables of docs/guide/22-options.md and the interfaces they describe, read from the API reports: a heading in
 * code names the interface, the first column names its members.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Names of members, by the name of their interface. */
export type Members = ReadonlyMap<string, readonly string[]>

/** Interfaces with options in them whose names do not say so. */
const ALSO = ['ChatRequest', 'Limits', 'LoopSettings', 'ModelCapabilities', 'ToolHints', 'ToolLabels', 'ToolRetry', 'ToolSchemas', 'ToolSettings'] // prettier-ignore

/** Named in a report because another declaration names them; nobody outside can give them. */
const INSIDE = ['RunningOptions', 'StructuredOutputOptions']

/** What the doors of the library take as options, of the API reports. Inherited members are not among them. */
export function publicOptions(root: string): Members {
  const folder = join(root, 'docs/api')
  const reports = readdirSync(folder).filter((name) => name.startsWith('toolwright'))
  const members = reports.flatMap((name) => membersIn(readFileSync(join(folder, name), 'utf8')))
  const isPublic = (name: string): boolean =>
    ALSO.includes(name) || (/(Options|Config)$/.test(name) && !INSIDE.includes(name))
  return new Map(members.filter(([name]) => isPublic(name)))
}

function membersIn(report: string): [string, string[]][] {
  const code = Array.from(report.matchAll(/^```ts\n([\s\S]*?)^```/gm), ([, fence]) => fence).join(
    '\n',
  )
  const { statements } = ts.createSourceFile('api.ts', code, ts.ScriptTarget.Latest)
  return statements
    .filter((node) => ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node))
    .map((node) => [node.name?.text ?? '', node.members.flatMap(nameOf)])
}

function nameOf({ name }: ts.NamedDeclaration): string[] {
  return name && ts.isIdentifier(name) ? [name.text] : []
}

/** What a page says: for each heading in code the first column of its table. */
export function optionTables(markdown: string): Members {
  const sections = markdown.split(/^#{2,3} /m).slice(1)
  const named = sections.flatMap((section): [string, string[]][] => {
    const name = /^`(\w+)`\n/.exec(section)?.[1]
    return name === undefined ? [] : [[name, firstColumn(section)]]
  })
  return new Map(named)
}

const firstColumn = (section: string): string[] =>
  Array.from(section.matchAll(/^\| `\.?(\w+)[^`]*` +\|/gm), ([, name]) => name!)

/** The second column of a section's table, by the first. */
export function defaultsIn(markdown: string, name: string): ReadonlyMap<string, string> {
  const section = markdown.split(/^#{2,3} /m).find((text) => text.startsWith(`\`${name}\`\n`)) ?? ''
  const rows = section.matchAll(/^\| `(\w+)` +\| ([^|]*?) +\|/gm)
  return new Map(Array.from(rows, ([, option, value]) => [option!, value!]))
}
