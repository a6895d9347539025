/**
 * Every file that a generated text depends on: the files that the source imports, directly or not, the
 * project's global declarations, and paths where a new file would be used instead.
 */
import ts from 'typescript'
import type { Project } from './project.ts'

export function dependenciesOf(
  source: ts.SourceFile,
  program: ts.Program,
  project: Project,
): readonly string[] {
  const checker = program.getTypeChecker()
  const reached = new Set<ts.SourceFile>()
  const visit = (file: ts.SourceFile): void => {
    if (reached.has(file) || program.isSourceFileDefaultLibrary(file)) return
    reached.add(file)
    for (const next of importedBy(file, checker)) visit(next)
  }
  visit(source)
  for (const name of project.globals) visit(program.getSourceFile(name) ?? source)
  const files = [...reached].map(({ fileName }) => fileName)
  return [...new Set([...files, ...project.manifests, ...project.absent])].sort()
}

function importedBy(file: ts.SourceFile, checker: ts.TypeChecker): readonly ts.SourceFile[] {
  return specifiersOf(file).flatMap((specifier) =>
    (checker.getSymbolAtLocation(specifier)?.declarations ?? []).filter(ts.isSourceFile),
  )
}

/** The modules that a file imports and exports from, including `import('x')` types. */
function specifiersOf(file: ts.SourceFile): readonly ts.Node[] {
  // The parser has collected them, in every form.
  const { imports } = file as ts.SourceFile & { readonly imports?: readonly ts.StringLiteral[] }
  return imports ?? []
}
