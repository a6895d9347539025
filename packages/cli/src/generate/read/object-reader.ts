/**
 * Reads interfaces, object types, intersections, mapped types, classes used as data, and index signatures.
 */
import ts from 'typescript'
import { docOf, valueDoc, type ValueDoc } from './doc-comment.ts'
import { checkNotes } from './check-notes.ts'
import type { ObjectShape, Property, RecordShape, Shape, SimpleShape } from '../shape/shape.ts'
import type { Place, Reading } from './reading.ts'
import { Problems } from './problems.ts'
import { needsRevival } from '../shape/shape-walk.ts'
import { warnOfLostComment } from './same-line-comment.ts'
import { templatePattern } from './template-pattern.ts'
import { isOfPackage } from './type-names.ts'
import { withoutUndefined } from './union-reader.ts'

export function readObject(type: ts.Type, place: Place, reader: Reading): Shape {
  const { checker } = reader
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0)
    return reader.refuse(place, 'is a function', 'Take the data the function would give.')
  const json = reader.options.mode === 'output' ? type.getProperty('toJSON') : undefined
  if (json) return readToJson(json, place, reader)
  const brand = branded(type)
  if (brand)
    return reader.refuse(place, `is the branded type ${reader.textOf(type)}`, `Take a ${reader.textOf(brand)} and brand it inside.`) // prettier-ignore
  const others = checker.getIndexInfosOfType(type)
  const properties = readProperties(type, place, reader)
  if (properties.length === 0 && others.length > 0) return readRecord(others, place, reader)
  const isClass = (type.symbol?.flags ?? 0) & ts.SymbolFlags.Class && !type.aliasSymbol
  if (isClass) return readClass({ type, properties }, place, reader)
  if (properties.length === 0 && type.getProperties().length > 0)
    return reader.refuse(place, 'has only methods', 'Take an interface with the data it needs.')
  const other = others.length > 0 ? readRecord(others, place, reader) : undefined
  if (other?.kind === 'record' && needsRevival(other.value) && reader.options.mode === 'input')
    return reader.refuse(place, 'mixes properties with others that are not plain JSON', 'Put the others into a Record or Map of their own.') // prettier-ignore
  return {
    kind: 'object',
    properties,
    keys: keysOf(type),
    others: other?.kind === 'record' ? other.value : undefined,
    class: undefined,
  }
}

const keysOf = (type: ts.Type): string[] =>
  type
    .getProperties()
    .map(({ name }) => name)
    .filter((name) => !/^__[@#]/.test(name))

/** The JSON type of a branded type such as `string & { brand: … }`. */
function branded(type: ts.Type): ts.Type | undefined {
  const primitive = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike | ts.TypeFlags.BigIntLike // prettier-ignore
  return type.isIntersection() ? type.types.find(({ flags }) => flags & primitive) : undefined
}

function readToJson(method: ts.Symbol, place: Place, reader: Reading): Shape {
  const { checker } = reader
  const [signature] = checker.getTypeOfSymbol(method).getCallSignatures()
  return signature
    ? reader.read(checker.getReturnTypeOfSignature(signature), place)
    : { kind: 'unknown' }
}

function readRecord(
  infos: readonly ts.IndexInfo[],
  place: Place,
  reader: Reading,
): RecordShape | SimpleShape {
  const [info] = infos.filter(({ keyType }) => !(keyType.flags & ts.TypeFlags.ESSymbol))
  if (!info) {
    reader.refuse(place, 'has symbols for keys', 'Use text for keys.')
    return { kind: 'unknown' }
  }
  const isNumber = info.keyType.flags & ts.TypeFlags.Number && infos.length === 1
  return {
    kind: 'record',
    keyPattern: isNumber ? '^-?\\d+(?:\\.\\d+)?$' : templatePattern(info.keyType),
    value: reader.read(info.type, { ...place, path: `${place.path}[]`, written: undefined }),
  }
}

interface ClassParts {
  readonly type: ts.Type
  readonly properties: readonly Property[]
}

/** Reads a class used as data: its public fields. Revival gives the value its prototype back. */
function readClass({ type, properties }: ClassParts, place: Place, reader: Reading): Shape {
  const keys = keysOf(type)
  const shape: ObjectShape = {
    kind: 'object',
    properties,
    keys,
    others: undefined,
    class: undefined,
  }
  if (reader.options.mode === 'output') return shape
  const { name } = type.symbol
  const hidden = type.getProperties().find(isHiddenField)
  const instead = `Take an interface with the data, and make the ${name} inside.`
  if (hidden)
    return reader.refuse(place, `is the class ${name} with private state (${plainName(hidden)})`, instead) // prettier-ignore
  if (properties.length === 0)
    return reader.refuse(place, `is the class ${name} without public fields`, instead)
  const from = reader.options.names.typeName(type.symbol)
  if (!from)
    return reader.refuse(place, `is the class ${name}, which is exported nowhere`, `Export class ${name}.`) // prettier-ignore
  return { ...shape, class: from }
}

const plainName = (symbol: ts.Symbol): string => symbol.name.replace(/^__#\d+@/, '')

function isHiddenField(symbol: ts.Symbol): boolean {
  const declaration = symbol.valueDeclaration
  if (!declaration || !isField(declaration)) return false
  return isHidden(declaration)
}

const isHidden = (node: ts.Declaration): boolean =>
  (ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0 || // prettier-ignore
  ts.isPrivateIdentifier(ts.getNameOfDeclaration(node) ?? node)

const isField = (node: ts.Declaration): node is ts.PropertyDeclaration | ts.ParameterDeclaration =>
  ts.isPropertyDeclaration(node) || ts.isParameter(node)

function readProperties(type: ts.Type, place: Place, reader: Reading): Property[] {
  const isClass = ((type.symbol?.flags ?? 0) & ts.SymbolFlags.Class) !== 0
  const isOutput = reader.options.mode === 'output'
  return type.getProperties().flatMap((symbol) => {
    if (symbol.name.startsWith('__@') || symbol.name.startsWith('__#')) return []
    if (isClass && isOutput) warnOfGetter(symbol, place, reader)
    if (isClass && (isMethodOrAccessor(symbol) || isHiddenField(symbol))) return []
    const declared = reader.checker.getTypeOfSymbolAtLocation(symbol, place.node)
    const isMissing = symbol.flags & ts.SymbolFlags.Optional || isOutput
    if (isMissing && isFunction(declared)) return []
    return [readProperty(symbol, declared, { place, reader })]
  })
}

const isFunction = (type: ts.Type): boolean =>
  type.getNonNullableType().getCallSignatures().length > 0

const isMethodOrAccessor = ({ flags }: ts.Symbol): boolean =>
  (flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor)) !== 0

/** JSON takes the fields of an object and not the getters of its class. */
function warnOfGetter(symbol: ts.Symbol, place: Place, { options }: Reading): void {
  const getter = symbol.declarations?.find(ts.isGetAccessor)
  if (!getter || isOfPackage(getter) || isHidden(getter)) return
  options.problems.warn(getter, {
    message: `${place.path}.${symbol.name} is a getter, which JSON leaves out: the model does not see it.`,
    fix: `Make ${symbol.name} a field, or add toJSON() to the class.`,
  })
}

function readProperty(
  symbol: ts.Symbol,
  declared: ts.Type,
  { place, reader }: { place: Place; reader: Reading },
): Property {
  const declaration = symbol.declarations?.[0]
  const isTheirs = !declaration || isOfPackage(declaration)
  // Problems with a package's comments cannot be corrected here, so they are ignored.
  const problems = isTheirs ? new Problems() : reader.options.problems
  const doc = declaration ? valueDoc(docOf(declaration), problems) : NO_VALUE_DOC
  if (declaration) warnOfLostComment(declaration, `${place.path}.${symbol.name}`, problems)
  const inner: Place = {
    node: isTheirs ? place.node : declaration,
    path: `${place.path}.${symbol.name}`,
    allowAny: place.allowAny || doc.any,
  }
  const { type, written } = asWritten(declared, declaration, reader.checker)
  const { shape, had } = withoutUndefined(reader.read(type, { ...inner, written }))
  const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0
  const mayMiss = isOptional || had
  if (doc.presence && !doc.presence.required && !mayMiss)
    problems.add(doc.presence.node, {
      message: `${inner.path} is @optional, but its type wants a value.`,
      fix: `Make it optional (${symbol.name}?), or take @optional away.`,
    })
  return {
    name: symbol.name,
    shape,
    optional: mayMiss && doc.presence?.required !== true,
    keyWanted: !isOptional,
    notes: checkNotes({ notes: doc.notes, shape, path: inner.path }, declaration, problems),
  }
}

const NO_VALUE_DOC: ValueDoc = { notes: {}, presence: undefined, any: false }

/** The type as its declaration writes it, if it is the same type: only that form has its name. */
export function asWritten(
  type: ts.Type,
  declaration: ts.Declaration | undefined,
  checker: ts.TypeChecker,
): { readonly type: ts.Type; readonly written: ts.TypeNode | undefined } {
  const written = (declaration as { readonly type?: ts.TypeNode } | undefined)?.type
  if (!written || !ts.isTypeNode(written)) return { type, written: undefined }
  const declaredType = checker.getTypeFromTypeNode(written)
  if (declaredType === type) return { type, written }
  const bare = checker.getNonNullableType(type)
  const isSame =
    checker.getNonNullableType(declaredType) === bare || isUnionOf(declaredType, type, checker)
  return isSame ? { type: declaredType, written } : { type, written: undefined }
}

/** Whether it is the same union, apart from the `undefined` that `?` adds and the lost name. */
function isUnionOf(there: ts.Type, type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!there.isUnion() || !type.isUnion()) return false
  return checker.isTypeAssignableTo(there, type) && checker.isTypeAssignableTo(checker.getNonNullableType(type), there) // prettier-ignore
}
