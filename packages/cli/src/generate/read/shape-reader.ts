/**
 * Reads a TypeScript type as its shape in JSON: the core of the generator. A type without a JSON form is
 * reported with its place, and reading continues, so that all problems of a file are found at once.
 */
import ts from 'typescript'
import { COLLECTIONS, KNOWN_TYPES, NO_JSON_FORM } from './known-types.ts'
import { isJsonType } from './json-like.ts'
import { readObject } from './object-reader.ts'
import { Problems } from './problems.ts'
import type { Place, Reading, ReaderOptions, ReadUnion } from './reading.ts'
import type { Definition, Shape } from '../shape/shape.ts'
import { templatePattern } from './template-pattern.ts'
import { isGlobal, isOfPackage } from './type-names.ts'
import { readEnum, readUnion } from './union-reader.ts'
import { docOf, valueDoc } from './doc-comment.ts'

const { TypeFlags } = ts

/** Deeper than anyone nests types: beyond this the type grows without end. */
const DEEPEST = 60

export class ShapeReader implements Reading {
  readonly options: ReaderOptions
  readonly checker: ts.TypeChecker
  readonly #definitions = new Map<ts.Type, Definition>()
  readonly #open = new Set<ts.Type>()
  readonly unions: ReadUnion[] = []
  readonly #grown = new Set<string>()
  #depth = 0

  constructor(options: ReaderOptions) {
    this.options = options
    this.checker = options.program.getTypeChecker()
  }

  read(type: ts.Type, place: Place): Shape {
    const simple = this.#simple(type, place)
    if (simple) return simple
    const definition = this.#definitions.get(type)
    if (definition) {
      definition.recursive ||= this.#open.has(type)
      return { kind: 'named', definition }
    }
    return this.#depth > DEEPEST ? this.#endless(place) : this.#define(type, place)
  }

  /** Reported once per parameter, because every branch meets it again. */
  #endless(place: Place): Shape {
    const [path = ''] = place.path.split(/[.[ ]/)
    if (this.#grown.has(path)) return { kind: 'unknown' }
    this.#grown.add(path)
    const fix = 'Take a type that ends: one that contains itself with the same arguments.'
    return this.refuse({ ...place, path }, 'has a type that grows without end', fix)
  }

  refuse({ node, path }: Place, what: string, fix: string): Shape {
    const isResult = this.options.mode === 'output'
    this.options.problems.add(node, {
      message: `${path} ${what}, which has no JSON form.`,
      fix: isResult ? 'Return data that has a JSON form, or do without an output schema.' : fix,
    })
    return { kind: 'unknown' }
  }

  textOf(type: ts.Type): string {
    return this.checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
  }

  #define(type: ts.Type, place: Place): Shape {
    const { names } = this.options
    const name = names.nameOf(type)
    const symbol = type.aliasSymbol ?? type.symbol
    const definition: Definition = {
      name: name ?? 'Item',
      type: symbol && name === symbol.name && !names.isGeneric(type) ? names.typeName(symbol) : undefined, // prettier-ignore
      shape: { kind: 'unknown' },
      recursive: false,
      notes: this.#notesOf(symbol),
    }
    this.#definitions.set(type, definition)
    this.#open.add(type)
    this.#depth++
    definition.shape = this.#structure(type, place)
    this.#depth--
    this.#open.delete(type)
    if (definition.recursive || (name && isWorthAName(definition.shape)))
      return { kind: 'named', definition }
    this.#definitions.delete(type)
    return definition.shape
  }

  #notesOf(symbol: ts.Symbol | undefined): Definition['notes'] {
    const declaration = symbol?.declarations?.[0]
    if (!declaration || isGlobal(symbol)) return {}
    const problems = isOfPackage(declaration) ? new Problems() : this.options.problems
    const { notes } = valueDoc(docOf(declaration), problems)
    return notes
  }

  /** Types that contain no other types. */
  #simple(type: ts.Type, place: Place): Shape | undefined {
    const { flags } = type
    if (flags & TypeFlags.Any) return this.#any(type, place)
    if (flags & TypeFlags.Unknown) return { kind: 'unknown' }
    if (flags & TypeFlags.EnumLike) return readEnum([type], place, this)
    if (flags & TypeFlags.String) return { kind: 'string' }
    if (flags & TypeFlags.Number) return { kind: 'number' }
    if (flags & TypeFlags.Boolean) return { kind: 'boolean' }
    if (flags & TypeFlags.BigInt) return { kind: 'bigint' }
    if (flags & TypeFlags.Null) return { kind: 'null' }
    if (flags & (TypeFlags.Undefined | TypeFlags.Void)) return { kind: 'undefined' }
    if (type.isStringLiteral() || type.isNumberLiteral())
      return { kind: 'literals', values: [type.value] }
    if (flags & TypeFlags.BooleanLiteral)
      return { kind: 'literals', values: [this.textOf(type) === 'true'] }
    if (flags & TypeFlags.NonPrimitive) return { kind: 'any-object' }
    return this.#text(type) ?? this.#formless(type, place)
  }

  #text(type: ts.Type): Shape | undefined {
    if (!(type.flags & (TypeFlags.TemplateLiteral | TypeFlags.StringMapping))) return undefined
    return { kind: 'template', text: this.textOf(type), pattern: templatePattern(type) }
  }

  #any(type: ts.Type, place: Place): Shape {
    const { intrinsicName } = type as ts.Type & { readonly intrinsicName?: string }
    if (intrinsicName === 'error') return this.#unresolved(place)
    if (this.options.allowAny || place.allowAny) return { kind: 'unknown' }
    const fix = 'Write its type, or unknown for any JSON; @any or --allow-any lets it pass.'
    return this.refuse(place, 'is any', fix)
  }

  /** The compiler's message says what is missing. */
  #unresolved(place: Place): Shape {
    const { program, problems } = this.options
    const source = place.node.getSourceFile()
    const [start, end] = [place.node.getFullStart(), place.node.getEnd()]
    const diagnostics = program
      .getSemanticDiagnostics(source)
      .filter(({ start: at = -1, code }) => (at >= start && at < end) || code === 2307)
    if (diagnostics.length === 0)
      return this.refuse(place, 'has a type that is not found', 'Import it.')
    for (const diagnostic of diagnostics.slice(0, 5)) problems.addDiagnostic(diagnostic, source)
    return { kind: 'unknown' }
  }

  #formless(type: ts.Type, place: Place): Shape | undefined {
    const { flags } = type
    if (flags & TypeFlags.ESSymbolLike) return this.refuse(place, 'is a symbol', 'Take a string.')
    if (flags & TypeFlags.Never) return this.refuse(place, 'is never', 'Leave it out.')
    if (flags & TypeFlags.BigIntLiteral)
      return this.refuse(place, `is the bigint ${this.textOf(type)}`, 'Take a bigint or a number.')
    const open = TypeFlags.TypeParameter | TypeFlags.IndexedAccess | TypeFlags.Conditional | TypeFlags.Index | TypeFlags.Substitution // prettier-ignore
    if (flags & open)
      return this.refuse(
        place,
        `is the unresolved generic ${this.textOf(type)}`,
        `Write a concrete type instead of ${this.textOf(type)}.`,
      )
    return undefined
  }

  #structure(type: ts.Type, place: Place): Shape {
    if (isJsonType(type, this.checker)) return { kind: 'json' }
    if (type.isUnion()) return readUnion(type, place, this)
    if (this.checker.isTupleType(type)) return this.#tuple(type as ts.TupleTypeReference, place)
    if (this.checker.isArrayType(type)) return { kind: 'array', item: this.#item(type, 0, place) }
    return this.#library(type, place) ?? readObject(type, place, this)
  }

  #library(type: ts.Type, place: Place): Shape | undefined {
    const { symbol } = type
    if (!symbol || !isGlobal(symbol)) return undefined
    const { name } = symbol
    if (Object.hasOwn(KNOWN_TYPES, name)) return { kind: KNOWN_TYPES[name]! }
    const collection = Object.hasOwn(COLLECTIONS, name) ? COLLECTIONS[name] : undefined
    if (collection === 'set') return { kind: 'set', item: this.#item(type, 0, place) }
    if (collection === 'map')
      return {
        kind: 'map',
        key: this.#item(type, 0, { ...place, path: `${place.path} (key)` }),
        value: this.#item(type, 1, place),
      }
    const fix = Object.hasOwn(NO_JSON_FORM, name) ? NO_JSON_FORM[name] : undefined
    return fix === undefined ? undefined : this.refuse(place, `is a ${name}`, fix)
  }

  /** The type argument at this index. */
  #item(type: ts.Type, index: number, place: Place): Shape {
    const argument = this.checker.getTypeArguments(type as ts.TypeReference)[index]
    const path = place.path.endsWith(' (key)') ? place.path : `${place.path}[]`
    const written = writtenItem(place.written, index)
    return argument ? this.read(argument, { ...place, path, written }) : { kind: 'unknown' }
  }

  #tuple(type: ts.TupleTypeReference, place: Place): Shape {
    const { elementFlags } = type.target
    const items: { shape: Shape; optional: boolean }[] = []
    let rest: Shape | undefined
    for (const [index, item] of this.checker.getTypeArguments(type).entries()) {
      const flags = elementFlags[index]!
      const isRest = (flags & ts.ElementFlags.Variable) !== 0
      if (rest) return this.refuse(place, 'has elements after its rest', 'Put the rest last.')
      const path = isRest ? `${place.path}[]` : `${place.path}[${index}]`
      const optional = (flags & ts.ElementFlags.Optional) !== 0
      const shape = this.read(optional ? withoutUndefined(item, this.checker) : item, {
        ...place,
        path,
        written: undefined,
      })
      if (isRest) rest = shape
      else items.push({ shape, optional })
    }
    return { kind: 'tuple', items, rest }
  }
}

const withoutUndefined = (type: ts.Type, checker: ts.TypeChecker): ts.Type =>
  type.isUnion() && type.types.some(({ flags }) => flags & TypeFlags.Null)
    ? type
    : checker.getNonNullableType(type)

/** Short shapes are written in place. */
function isWorthAName({ kind }: Shape): boolean {
  return kind === 'object' || kind === 'union' || kind === 'tuple'
}

/** The written type of a list's items or of a generic's argument. */
function writtenItem(written: ts.TypeNode | undefined, index: number): ts.TypeNode | undefined {
  if (!written) return undefined
  if (ts.isParenthesizedTypeNode(written) || ts.isTypeOperatorNode(written))
    return writtenItem(written.type, index)
  if (ts.isArrayTypeNode(written)) return written.elementType
  return ts.isTypeReferenceNode(written) ? written.typeArguments?.[index] : undefined
}
