/** The style of a source file: quotes, semicolons, indentation, line ends, and import endings. */
import { basename, dirname, extname, relative } from 'node:path'
import ts from 'typescript'
import type { CodeStyle } from './code.ts'

export function styleOf(source: ts.SourceFile): CodeStyle {
  const { text } = source
  const quotes = stringsOf(source).map((one) => text[one.getStart(source)])
  const doubles = quotes.filter((quote) => quote === '"').length
  const ends = source.statements.filter(endsWithSemicolon)
  return {
    quote: doubles > quotes.length / 2 ? '"' : "'",
    semicolons: ends.some((statement) => text[statement.getEnd() - 1] === ';'),
    indent: /^(?:\t|  (?: {2})?)(?=[^\s*])/m.exec(text)?.[0] ?? '  ',
    newLine: /\r\n/.test(text) ? '\r\n' : '\n',
  }
}

/** Statements that end with a semicolon in code that uses semicolons. */
const endsWithSemicolon = (node: ts.Statement): boolean =>
  ts.isImportDeclaration(node) || ts.isVariableStatement(node) || ts.isTypeAliasDeclaration(node) || ts.isExpressionStatement(node) || ts.isExportDeclaration(node) // prettier-ignore

function stringsOf(source: ts.SourceFile): readonly ts.StringLiteral[] {
  const found: ts.StringLiteral[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) found.push(node)
    if (found.length < 20) ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** `.ts` as the file is named, `.js` as the emitted file is named, or no ending. */
type ImportEnding = 'source' | 'emitted' | 'none'

/**
 * The specifier to import a project file from beside the source: in the source's style, otherwise as its
 * tsconfig requires.
 */
export function specifierOf(
  file: string,
  source: ts.SourceFile,
  options: ts.CompilerOptions,
): string {
  const path = relative(dirname(source.fileName), file).replaceAll('\\', '/')
  const whole = path.startsWith('.') ? path : `./${path}`
  const ending = ownEnding(source) ?? configuredEnding(options, source)
  if (ending === 'source') return whole
  const bare = whole.replace(/(?:\.d)?\.[cm]?tsx?$/, '')
  const emitted = extname(basename(file)).replace('t', 'j').replace('x', '')
  if (ending === 'emitted') return bare + emitted
  // Without an ending, only ordinary file types are found.
  return /\.[cm]/.test(extname(file)) ? bare + emitted : bare
}

function ownEnding(source: ts.SourceFile): ImportEnding | undefined {
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue
    const { moduleSpecifier } = statement
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) continue
    if (/^\.\.?\//.test(moduleSpecifier.text)) return endingOf(moduleSpecifier.text)
  }
  return undefined
}

function endingOf(specifier: string): ImportEnding | undefined {
  if (/\.[cm]?tsx?$/.test(specifier)) return 'source'
  if (/\.[cm]?jsx?$/.test(specifier)) return 'emitted'
  return /\.\w+$/.test(specifier) ? undefined : 'none'
}

function configuredEnding(options: ts.CompilerOptions, source: ts.SourceFile): ImportEnding {
  if (options.allowImportingTsExtensions || options.rewriteRelativeImportExtensions) return 'source'
  const { moduleResolution, module = ts.ModuleKind.CommonJS } = options
  const isNode = moduleResolution
    ? moduleResolution >= ts.ModuleResolutionKind.Node16 &&
      moduleResolution <= ts.ModuleResolutionKind.NodeNext
    : module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext
  return isNode && source.impliedNodeFormat !== ts.ModuleKind.CommonJS ? 'emitted' : 'none'
}
