/** How long files and functions of the library are. Tests do not count. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface Size {
  readonly name: string
  /** Relative to the folder that was read, with the line for functions. */
  readonly place: string
  readonly lines: number
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        name.endsWith('.ts') && !name.endsWith('.test.ts') && !/node_modules|dist\//.test(name),
    )
    .sort()
}

export function fileSizes(folder: string): Size[] {
  return sourceFiles(folder).map((name) => {
    const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').length
    return { name, place: name, lines }
  })
}

/** Every function with a body; one inside another counts for both. */
export function functionSizes(folder: string): Size[] {
  return sourceFiles(folder).flatMap((name) =>
    functionsOf(readFileSync(join(folder, name), 'utf8'), name),
  )
}

/** The functions of one source text. */
export function functionsOf(text: string, place: string): Size[] {
  const source = ts.createSourceFile(place, text, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number): number =>
    source.getLineAndCharacterOfPosition(position).line + 1
  const sizes: Size[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = lineOf(node.getStart(source))
      const lines = lineOf(node.end) - first + 1
      sizes.push({ name: functionName(node), place: `${place}:${first}`, lines })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return sizes
}

/** The name a reader would call a function by: its own, or that of the variable or property that holds it. */
export function functionName(node: ts.SignatureDeclaration): string {
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  if (node.name) return node.name.getText()
  const { parent } = node
  if (
    ts.isVariableDeclaration(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isPropertyDeclaration(parent)
  ) {
    return parent.name.getText()
  }
  return ANONYMOUS
}

/** The name of a function that is written where it is passed on. */
export const ANONYMOUS = '(anonymous)'
