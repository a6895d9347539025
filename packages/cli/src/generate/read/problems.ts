/** Collects the problems and warnings of a source, so that all can be corrected at once. */
import ts from 'typescript'
import type { Problem } from '../generation.ts'

/** What is wrong, and what to write instead. */
export interface Finding {
  readonly message: string
  readonly fix: string
}

export class Problems {
  readonly #found = new Map<string, Problem>()
  readonly #warnings = new Map<string, Problem>()

  get all(): readonly Problem[] {
    return [...this.#found.values()]
  }

  /** What the source says and the generated file leaves out. */
  get warnings(): readonly Problem[] {
    return [...this.#warnings.values()]
  }

  /** A problem that is found twice, e.g. by two tools that share a type, is reported once. */
  add(node: ts.Node, { message, fix }: Finding): void {
    const source = node.getSourceFile()
    this.#addAt(source, node.getStart(source), { message, fix })
  }

  warn(node: ts.Node, finding: Finding): void {
    const source = node.getSourceFile()
    this.warnAt(source, node.getStart(source), finding)
  }

  warnAt(source: ts.SourceFile, position: number, finding: Finding): void {
    this.addWarning(problemAt(source, position, finding))
  }

  addWarning(warning: Problem): void {
    const { file, line, column, message } = warning
    this.#warnings.set(JSON.stringify([file, line, column, message]), warning)
  }

  addDiagnostic(diagnostic: ts.Diagnostic, source: ts.SourceFile): void {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')
    this.#addAt(diagnostic.file ?? source, diagnostic.start ?? 0, {
      message: `TypeScript says: ${message}`,
      fix: 'Make the file compile, then generate again.',
    })
  }

  #addAt(source: ts.SourceFile, position: number, finding: Finding): void {
    const problem = problemAt(source, position, finding)
    this.#found.set(`${problem.file}:${position}:${problem.message}`, problem)
  }
}

function problemAt(source: ts.SourceFile, position: number, finding: Finding): Problem {
  const { line, character } = source.getLineAndCharacterOfPosition(position)
  return { file: source.fileName, line: line + 1, column: character + 1, ...finding }
}
