/**
 * The tables of the guide and the declarations they describe, read from the API reports: a heading in code names an
 * interface or a type of event, the first column of its table names the members.
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

/** What the doors of the library, and of packages with models and databases, take as options. Inherited members are not among them. */
export function publicOptions(root: string): Members {
  const members = reportsIn(root).flatMap(membersIn)
  const isPublic = (name: string): boolean =>
    ALSO.includes(name) || (/(Options|Config)$/.test(name) && !INSIDE.includes(name))
  return new Map(members.filter(([name]) => isPublic(name)))
}

/** The members of these interfaces, inherited ones not among them. */
export function membersOf(root: string, names: readonly string[]): Members {
  return new Map(
    reportsIn(root)
      .flatMap(membersIn)
      .filter(([name]) => names.includes(name)),
  )
}

/** The fields of each type of event, without `type` itself and those of `EventOrigin`. */
export function eventFields(root: string): Members {
  const found = new Map<string, string[]>()
  const visit = (node: ts.Node): void => {
    const fields = ts.isTypeLiteralNode(node) ? node.members.filter(ts.isPropertySignature) : []
    const type = fields.find((field) => nameOf(field)[0] === 'type')?.type
    if (type && ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal))
      found.set(
        type.literal.text,
        fields.flatMap(nameOf).filter((name) => name !== 'type'),
      )
    else ts.forEachChild(node, visit)
  }
  const isEvent = (node: ts.Statement): boolean =>
    ts.isTypeAliasDeclaration(node) && node.name.text === 'ChatEvent'
  reportsIn(root).flatMap(statementsIn).filter(isEvent).forEach(visit)
  return found
}

/** The texts of a union of texts. */
export function unionOf(root: string, name: string): readonly string[] {
  const aliases = reportsIn(root).flatMap(statementsIn).filter(ts.isTypeAliasDeclaration)
  const union = aliases.find((alias) => alias.name.text === name)?.type
  if (!union || !ts.isUnionTypeNode(union)) return []
  const literals = union.types.filter(ts.isLiteralTypeNode).map(({ literal }) => literal)
  return literals.filter(ts.isStringLiteral).map(({ text }) => text)
}

function reportsIn(root: string): string[] {
  const folder = join(root, 'docs/api')
  const names = readdirSync(folder).filter((name) =>
    /^(?:toolwright|ai-sdk|dbos|mcp|sql)/.test(name),
  )
  return names.map((name) => readFileSync(join(folder, name), 'utf8'))
}

function statementsIn(report: string): readonly ts.Statement[] {
  const code = Array.from(report.matchAll(/^```ts\n([\s\S]*?)^```/gm), ([, fence]) => fence).join(
    '\n',
  )
  return ts.createSourceFile('api.ts', code, ts.ScriptTarget.Latest).statements
}

function membersIn(report: string): [string, string[]][] {
  return statementsIn(report)
    .filter((node) => ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node))
    .map((node) => [node.name?.text ?? '', node.members.flatMap(nameOf)])
}

function nameOf({ name }: ts.NamedDeclaration): string[] {
  return name && ts.isIdentifier(name) ? [name.text] : []
}

/** What a page says: for each heading in code the first column of its table. */
export function tablesIn(markdown: string): Members {
  const sections = markdown.split(/^#{2,3} /m).slice(1)
  const named = sections.flatMap((section): [string, string[]][] => {
    const name = /^`([\w-]+)`\n/.exec(section)?.[1]
    return name === undefined ? [] : [[name, firstColumn(section)]]
  })
  return new Map(named)
}

const firstColumn = (section: string): string[] =>
  Array.from(section.matchAll(/^\| `\.?(\w+)[^`]*` +\|/gm), ([, name]) => name!)

/** The first two columns of the table under a heading. */
export function columnsIn(markdown: string, heading: string): ReadonlyMap<string, string> {
  const section = markdown.split(/^#{2,3} /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const rows = section.matchAll(/^\| `([\w-]+)` +\| ([^|]*?) +\|/gm)
  return new Map(Array.from(rows, ([, first, second]) => [first!, second!]))
}
