/**
 * The declarations of the packages' sources, as the compiler writes them for users, kept in memory. Each is
 * parsed, so that one can look up what a name of a file means without another program.
 */
import { dirname, join, sep } from 'node:path'
import ts from 'typescript'

/** Where a name is declared, whatever it is called where it is used. */
export interface Declared {
  /** Relative to the root. */
  readonly file: string
  readonly name: string
}

export class Declarations {
  readonly #read: (file: string) => DeclarationFile
  readonly #files = new Map<string, DeclarationFile>()

  /** `read` is asked once for each file, and only for those that somebody looks into. */
  constructor(read: (file: string) => DeclarationFile) {
    this.#read = read
  }

  /** The names that a file exports, each with the place of its declaration. */
  exportsOf(file: string): ReadonlyMap<string, Declared> {
    const { exported } = this.#file(file)
    return new Map([...exported].map(([name, declared]) => [name, this.#origin(declared)]))
  }

  /** What a name used in a file means; undefined: it is of another package, or of the language. */
  meaningOf(file: string, name: string): Declared | undefined {
    const { local, statements } = this.#file(file)
    const imported = local.get(name)
    if (imported) return this.#origin(imported)
    return statements.has(name) ? { file, name } : undefined
  }

  /** The statements that declare a name: several for overloads, and for a type and a value of one name. */
  statementsOf({ file, name }: Declared): readonly ts.Statement[] {
    return this.#file(file).statements.get(name) ?? []
  }

  /** Follows `export { a as b } from './c.ts'` to where it began. */
  #origin(declared: Declared): Declared {
    const { exported, statements } = this.#file(declared.file)
    const next = exported.get(declared.name)
    if (statements.has(declared.name) || !next) return declared
    return this.#origin(next)
  }

  #file(path: string): DeclarationFile {
    const file = this.#files.get(path) ?? this.#read(path)
    this.#files.set(path, file)
    return file
  }
}

interface DeclarationFile {
  /** Name in this file → where it comes from, for imports of the same repository. */
  readonly local: ReadonlyMap<string, Declared>
  readonly exported: ReadonlyMap<string, Declared>
  readonly statements: ReadonlyMap<string, readonly ts.Statement[]>
}

const NOTHING: DeclarationFile = { local: new Map(), exported: new Map(), statements: new Map() }

/** Compiles the entries and all that they import, with the settings of the root's tsconfig.json. */
export function declarationsOf(root: string, entries: readonly string[]): Declarations {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root)
  const program = ts.createProgram(
    entries.map((entry) => join(root, entry)),
    { ...options, ...EMIT },
  )
  return new Declarations((file) => {
    const source = program.getSourceFile(join(root, file))
    return source ? parsed(file, declarationOf(program, source), options.paths ?? {}) : NOTHING
  })
}

function declarationOf(program: ts.Program, source: ts.SourceFile): string {
  let declaration = ''
  const take = (_path: string, text: string): void => void (declaration = text)
  const { diagnostics } = program.emit(source, take, undefined, true)
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, HOST))
  return declaration
}

const EMIT: ts.CompilerOptions = {
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  stripInternal: true,
  removeComments: true,
  outDir: '/',
}

const HOST: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (path) => path,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
}

function parsed(file: string, text: string, paths: ts.MapLike<string[]>): DeclarationFile {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const local = new Map<string, Declared>()
  const exported = new Map<string, Declared>()
  const statements = new Map<string, ts.Statement[]>()
  const target = (specifier: ts.Expression): string | undefined =>
    resolved(file, (specifier as ts.StringLiteral).text, paths)

  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = target(statement.moduleSpecifier)
      const names = statement.importClause?.namedBindings
      if (!from || !names || !ts.isNamedImports(names)) continue
      for (const { name, propertyName } of names.elements)
        local.set(name.text, { file: from, name: (propertyName ?? name).text })
    } else if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier ? target(statement.moduleSpecifier) : file
      const names = statement.exportClause
      if (!from || !names || !ts.isNamedExports(names)) continue
      for (const { name, propertyName } of names.elements)
        exported.set(name.text, { file: from, name: (propertyName ?? name).text })
    } else {
      for (const name of namesOf(statement)) {
        statements.set(name, [...(statements.get(name) ?? []), statement])
        if (isExported(statement)) exported.set(name, { file, name })
      }
    }
  }
  return { local, exported, statements }
}

function resolved(
  from: string,
  specifier: string,
  paths: ts.MapLike<string[]>,
): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier).replaceAll(sep, '/')
  return paths[specifier]?.[0]?.replace(/^\.\//, '')
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  const { name } = statement as ts.DeclarationStatement
  return name ? [name.getText()] : []
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
