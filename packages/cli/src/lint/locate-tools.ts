/**
 * Finds where a tool is written. It reads the files as text, without types: a name in a string ranks before
 * a tagged method, and that before anything else with the same name. Generated files are skipped, because
 * they are not edited by hand.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { generatedFrom } from '../generate/files/generated-file.ts'

export interface Place {
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

interface Candidate {
  readonly name: string
  /** Lower is better. */
  readonly rank: number
  readonly node: ts.Node
}

interface Located {
  readonly rank: number
  readonly place: Place
}

/** The places of the tools that were found, by name. */
export function locateTools(
  files: readonly string[],
  names: readonly string[],
): ReadonlyMap<string, Place> {
  const wantedNames = new Set(names)
  const best = new Map<string, Located>()
  for (const source of sourcesOf(files)) {
    for (const { name, rank, node } of candidatesIn(source)) {
      if (!wantedNames.has(name) || rank >= (best.get(name)?.rank ?? Infinity)) continue
      best.set(name, { rank, place: placeOf(node, source) })
    }
  }
  return new Map([...best].map(([name, { place }]) => [name, place]))
}

function sourcesOf(files: readonly string[]): readonly ts.SourceFile[] {
  const sources = new Map<string, string>()
  for (const file of files.filter((each) => existsSync(each))) {
    const text = readFileSync(file, 'utf8')
    const from = generatedFrom(text)
    const behind = from === undefined ? undefined : join(dirname(file), from)
    if (behind === undefined) sources.set(file, text)
    else if (existsSync(behind)) sources.set(behind, readFileSync(behind, 'utf8'))
  }
  return Array.from(sources, ([file, text]) =>
    ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true),
  )
}

function candidatesIn(source: ts.SourceFile): readonly Candidate[] {
  const candidates: Candidate[] = []
  const visit = (node: ts.Node): void => {
    const candidate = candidateOf(node)
    if (candidate) candidates.push(candidate)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return candidates
}

function candidateOf(node: ts.Node): Candidate | undefined {
  if (ts.isPropertyAssignment(node)) return ofProperty(node)
  if (ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node)) return ofFunction(node)
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name))
    return { name: node.name.text, rank: 3, node }
  return undefined
}

const TOOL_KEYS = ['execute', 'description', 'input', 'inputSchema']

/** `name: 'setAlarm'` among the options of a tool, or `setAlarm: tool(…)` in a record. */
function ofProperty(node: ts.PropertyAssignment): Candidate | undefined {
  const key = textOf(node.name)
  if (key === 'name' && ts.isStringLiteralLike(node.initializer)) {
    const keys = node.parent.properties.map(({ name }) => name && textOf(name))
    const isTool = TOOL_KEYS.some((each) => keys.includes(each)) || isDecorated(node.parent)
    return { name: node.initializer.text, rank: isTool ? 0 : 4, node }
  }
  return key === undefined ? undefined : { name: key, rank: 2, node }
}

function ofFunction(node: ts.MethodDeclaration | ts.FunctionDeclaration): Candidate | undefined {
  const tags = ts.getJSDocTags(node)
  const nameTag = tags.find(({ tagName }) => tagName.text === 'name')?.comment
  const name =
    nameTag === undefined ? node.name && textOf(node.name) : ts.getTextOfJSDocComment(nameTag)
  const isTool = tags.some(({ tagName }) => tagName.text === 'tool') || hasDecorator(node)
  return name === undefined ? undefined : { name: name.trim(), rank: isTool ? 1 : 3, node }
}

const hasDecorator = (node: ts.Node): boolean =>
  ts.canHaveDecorators(node) && (ts.getDecorators(node)?.length ?? 0) > 0

/** `@Tool({ name: 'x' })` */
const isDecorated = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) && ts.isDecorator(parent.parent)

const textOf = (name: ts.PropertyName): string | undefined =>
  ts.isComputedPropertyName(name) ? undefined : name.text.replace(/^#/, '')

function placeOf(node: ts.Node, source: ts.SourceFile): Place {
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source))
  return { file: source.fileName, line: line + 1, column: character + 1 }
}
