/** Checks whether a source can be read: it parses, and its imports exist. */
import ts from 'typescript'
import type { Problems } from './problems.ts'

const MOST = 5
/** The codes of "Cannot find module" in its variants. */
const MISSING_MODULE = [2307, 2792, 2834, 2835]

/** Returns false if it cannot, and reports the compiler's messages. */
export function checkSource(
  source: ts.SourceFile,
  program: ts.Program,
  problems: Problems,
): boolean {
  const broken = program.getSyntacticDiagnostics(source)
  const diagnostics = broken.length > 0 ? broken : missingImports(source, program)
  for (const diagnostic of diagnostics.slice(0, MOST)) problems.addDiagnostic(diagnostic, source)
  return diagnostics.length === 0
}

function missingImports(source: ts.SourceFile, program: ts.Program): readonly ts.Diagnostic[] {
  const checker = program.getTypeChecker()
  const isFound = (statement: ts.Statement): boolean =>
    !ts.isImportDeclaration(statement) ||
    !statement.importClause ||
    isOurs(statement.moduleSpecifier) ||
    checker.getSymbolAtLocation(statement.moduleSpecifier) !== undefined
  if (source.statements.every(isFound)) return []
  // The whole file is checked only if something is missing.
  return program
    .getSemanticDiagnostics(source)
    .filter(({ code, start }) => MISSING_MODULE.includes(code) && !isOurs(literalAt(source, start)))
}

/** A file that will be generated is not missing. */
const isOurs = (specifier: ts.Node | undefined): boolean =>
  specifier !== undefined &&
  ts.isStringLiteral(specifier) &&
  /^\.\.?\/.*\.tools(?:\.[cm]?[jt]s)?$/.test(specifier.text)

function literalAt(source: ts.SourceFile, start = 0): ts.Node | undefined {
  return source.statements
    .filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) => moduleSpecifier)
    .find((specifier) => specifier.getStart(source) === start)
}
