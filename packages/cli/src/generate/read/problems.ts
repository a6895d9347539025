/** Collects the problems of a source, so that all can be corrected at once. */
import ts from 'typescript'
import type { Problem } from '../generation.ts'

/** What is wrong, and what to write instead. */
export interface Finding {
  readonly message: string
  readonly fix: string
}

export class Problems {
  readonly #found = new Map<string, Problem>()

  get all(): readonly Problem[] {
    return [...this.#found.values()]
  }

  /** A problem that is found twice, e.g. by two tools that share a type, is reported once. */
  add(node: ts.Node, { message, fix }: Finding): void {
    const source = node.getSourceFile()
    this.#addAt(source, node.getStart(source), { message, fix })
  }

  addDiagnostic(diagnostic: ts.Diagnostic, source: ts.SourceFile): void {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')
    this.#addAt(diagnostic.file ?? source, diagnostic.start ?? 0, {
      message: `TypeScript says: ${message}`,
      fix: 'Make the file compile, then generate again.',
    })
  }

  #addAt(source: ts.SourceFile, position: number, finding: Finding): void {
    const { line, character } = source.getLineAndCharacterOfPosition(position)
    const problem = { file: source.fileName, line: line + 1, column: character + 1, ...finding }
    this.#found.set(`${problem.file}:${position}:${problem.message}`, problem)
  }
}
