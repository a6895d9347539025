/**
 * Every file a generated text depends on: what the source imports, and what those import, and so on, what
 * the project declares for every file, and where files could appear that would be taken instead.
 */
import ts from 'typescript'
import type { Project } from './project.ts'

export function dependenciesOf(
  source: ts.SourceFile,
  program: ts.Program,
  project: Project,
): readonly string[] {
  const checker = program.getTypeChecker()
  const found = new Set<ts.SourceFile>()
  const visit = (file: ts.SourceFile): void => {
    if (found.has(file) || program.isSourceFileDefaultLibrary(file)) return
    found.add(file)
    for (const next of importedBy(file, checker)) visit(next)
  }
  visit(source)
  for (const name of project.globals) visit(program.getSourceFile(name) ?? source)
  const files = [...found].map(({ fileName }) => fileName)
  return [...new Set([...files, ...project.manifests, ...project.absent])].sort()
}

function importedBy(file: ts.SourceFile, checker: ts.TypeChecker): readonly ts.SourceFile[] {
  return specifiersOf(file).flatMap((specifier) =>
    (checker.getSymbolAtLocation(specifier)?.declarations ?? []).filter(ts.isSourceFile),
  )
}

/** What a file imports and exports from, `import('x')` types included. */
function specifiersOf(file: ts.SourceFile): readonly ts.Node[] {
  // The parser has collected them, whatever their form.
  const { imports } = file as ts.SourceFile & { readonly imports?: readonly ts.StringLiteral[] }
  return imports ?? []
}
