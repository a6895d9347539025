/** The names of types: how the generated file can import them, and what their definitions are called. */
import ts from 'typescript'
import { identifierOf, upperFirst } from '../shape/identifier.ts'
import type { TypeName } from '../shape/shape.ts'

export class TypeNames {
  readonly #checker: ts.TypeChecker
  readonly #source: ts.SourceFile
  #imported: ReadonlyMap<ts.Symbol, TypeName> | undefined

  constructor(checker: ts.TypeChecker, source: ts.SourceFile) {
    this.#checker = checker
    this.#source = source
  }

  /** How to import a type: as the source does, otherwise from the project file that exports it. */
  typeName(symbol: ts.Symbol): TypeName | undefined {
    this.#imported ??= new Map(this.#imports())
    return this.#imported.get(symbol) ?? this.#exported(symbol)
  }

  /** The name of a type with its arguments, e.g. `PageOfOrder`; undefined for a type without a name. */
  nameOf(type: ts.Type): string | undefined {
    const symbol = type.aliasSymbol ?? type.symbol
    if (!symbol || /^__|^default$/.test(symbol.name)) return undefined
    const names = this.#arguments(type).map((argument) => this.#argumentName(argument)).filter(Boolean) // prettier-ignore
    if (names.length === 0) return symbol.name
    return isGlobal(symbol) ? symbol.name + names.join('') : `${symbol.name}Of${names.join('And')}`
  }

  /** Whether a type is an instance of a generic, so that its name alone is not a type. */
  isGeneric(type: ts.Type): boolean {
    return this.#arguments(type).length > 0
  }

  #arguments(type: ts.Type): readonly ts.Type[] {
    const { aliasSymbol, aliasTypeArguments } = type
    return (aliasSymbol ? aliasTypeArguments : typeArguments(this.#checker, type)) ?? []
  }

  #argumentName(type: ts.Type): string {
    const name = this.nameOf(type)
    if (name) return upperFirst(name)
    if (type.isStringLiteral()) return upperFirst(identifierOf(type.value))
    const simple = ts.TypeFlags.String | ts.TypeFlags.Number | ts.TypeFlags.BigInt | ts.TypeFlags.BooleanLike // prettier-ignore
    return type.flags & simple ? upperFirst(this.#checker.typeToString(type)) : ''
  }

  *#imports(): Iterable<[ts.Symbol, TypeName]> {
    for (const statement of this.#source.statements) {
      if (!ts.isImportDeclaration(statement)) continue
      const { namedBindings } = statement.importClause ?? {}
      if (!namedBindings || !ts.isNamedImports(namedBindings)) continue
      const specifier = (statement.moduleSpecifier as ts.StringLiteral).text
      for (const { name, propertyName } of namedBindings.elements) {
        const symbol = this.#resolved(this.#checker.getSymbolAtLocation(name))
        const from = { specifier }
        if (symbol) yield [symbol, { name: (propertyName ?? name).text, from }]
      }
    }
  }

  #exported(symbol: ts.Symbol): TypeName | undefined {
    const file = symbol.declarations?.[0]?.getSourceFile()
    const module = file && this.#checker.getSymbolAtLocation(file)
    if (!module || isOfPackage(file)) return undefined
    const exported = this.#checker
      .getExportsOfModule(module)
      .find((one) => one.name !== 'default' && this.#resolved(one) === symbol)
    return exported && { name: exported.name, from: { file: file.fileName } }
  }

  #resolved(symbol: ts.Symbol | undefined): ts.Symbol | undefined {
    const isAlias = symbol && symbol.flags & ts.SymbolFlags.Alias
    return isAlias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }
}

function typeArguments(checker: ts.TypeChecker, type: ts.Type): readonly ts.Type[] | undefined {
  const { target } = type as ts.TypeReference
  if (!target) return undefined
  // A class has itself as a last, hidden type argument.
  return checker.getTypeArguments(type as ts.TypeReference).slice(0, target.typeParameters?.length)
}

/** Whether a symbol is declared globally, as the language's own types are. */
export function isGlobal(symbol: ts.Symbol): boolean {
  const file = symbol.declarations?.[0]?.getSourceFile()
  return (
    file !== undefined && (!ts.isExternalModule(file) || /[\\/]@types[\\/]/.test(file.fileName))
  )
}

/** Whether a declaration belongs to a package, and so cannot be imported by its path. */
export const isOfPackage = (node: ts.Node): boolean =>
  /[\\/]node_modules[\\/]/.test(node.getSourceFile().fileName)
