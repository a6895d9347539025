/** Puts a mark at the entry of every function of a source text, so that a run can say where it went. */
import ts from 'typescript'
import { functionName } from '../size/source-sizes.ts'

export interface MarkedFunction {
  /** Relative to the library's sources. */
  readonly file: string
  readonly name: string
  readonly line: number
}

/** The name under which a marked file knows `enter` of trace.ts. */
export const ENTER = '__enterFunction'

/**
 * The text with `enter(n)` as the first thing that each function does. `n` is the function's place in
 * `functions`, which is written to.
 */
export function markFunctions(text: string, file: string, functions: MarkedFunction[]): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const insertions: Insertion[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      insertions.push(...entryMark(source, node.body, `${ENTER}(${functions.length})`))
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      functions.push({ file, name: functionName(node), line: line + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return withInsertions(text, insertions)
}

interface Insertion {
  readonly at: number
  readonly code: string
}

/** An arrow without braces gets its mark before its value, in a comma expression. */
function entryMark(source: ts.SourceFile, body: ts.Node, mark: string): readonly Insertion[] {
  const at = body.getStart(source)
  return ts.isBlock(body)
    ? [{ at: at + 1, code: `${mark};` }]
    : [
        { at, code: `(${mark},` },
        { at: body.end, code: ')' },
      ]
}

function withInsertions(text: string, insertions: readonly Insertion[]): string {
  const inOrder = [...insertions].sort((a, b) => a.at - b.at)
  let marked = ''
  let done = 0
  for (const { at, code } of inOrder) {
    marked += text.slice(done, at) + code
    done = at
  }
  return marked + text.slice(done)
}
