/** Reads unions and enums: members in the order of their source, with literals grouped. */
import ts from 'typescript'
import type { EnumShape, Literal, Shape } from '../shape/shape.ts'
import type { Place, Reading } from './reading.ts'
import { needsRevival } from '../shape/shape-walk.ts'

const { TypeFlags } = ts

export function readUnion(type: ts.UnionType, place: Place, reader: Reading): Shape {
  const members = inOrder(type, place, reader.checker)
  const enums = members.filter(({ flags }) => flags & TypeFlags.EnumLiteral)
  const others = members.filter((member) => !enums.includes(member))
  const shapes = others.map((member) => reader.read(member, { ...place, written: undefined }))
  const union = unionOf([...enumsOf(enums, place, reader), ...shapes])
  if (union.kind === 'union') reader.unions.push({ union, place })
  return union
}

/** Groups literals into one shape, and true and false into boolean. */
function unionOf(shapes: readonly Shape[]): Shape {
  const values = shapes.flatMap((shape) => (shape.kind === 'literals' ? shape.values : []))
  const truths = values.filter((value) => typeof value === 'boolean')
  const rest = truths.length === 2 ? values.filter((value) => typeof value !== 'boolean') : values
  const at = shapes.findIndex(({ kind }) => kind === 'literals')
  const gathered: Shape[] = []
  for (const [index, shape] of shapes.entries()) {
    if (shape.kind !== 'literals') gathered.push(shape)
    else if (index === at) gathered.push(...literalShapes(rest, truths.length === 2))
  }
  if (gathered.some(({ kind }) => kind === 'unknown')) return { kind: 'unknown' }
  return gathered.length === 1 ? gathered[0]! : { kind: 'union', members: gathered }
}

function literalShapes(values: readonly Literal[], hasBoth: boolean): Shape[] {
  const shapes: Shape[] = values.length > 0 ? [{ kind: 'literals', values }] : []
  return hasBoth ? [...shapes, { kind: 'boolean' }] : shapes
}

/** The shape without `undefined`, and whether it contained it. */
export function withoutUndefined(shape: Shape): { shape: Shape; had: boolean } {
  const inner = shape.kind === 'named' ? shape.definition.shape : shape
  if (inner.kind === 'undefined') return { shape: inner, had: true }
  if (inner.kind !== 'union') return { shape, had: false }
  const members = inner.members.filter(({ kind }) => kind !== 'undefined')
  return members.length < inner.members.length
    ? { shape: unionOf(members), had: true }
    : { shape, had: false }
}

function enumsOf(types: readonly ts.Type[], place: Place, reader: Reading): Shape[] {
  const groups = new Map<ts.Node | undefined, ts.Type[]>()
  for (const type of types) {
    const declaration = enumOf(type)
    groups.set(declaration, [...(groups.get(declaration) ?? []), type])
  }
  return [...groups.values()].map((group) => readEnum(group, place, reader))
}

/** The members of one enum among these types, in the order of the enum. */
export function readEnum(types: readonly ts.Type[], place: Place, reader: Reading): Shape {
  const { checker, options } = reader
  const declaration = enumOf(types[0]!)
  const literals = types.flatMap((type) => (type.isUnion() ? type.types : [type]))
  const values = new Set(literals.map((literal) => (literal as ts.LiteralType).value))
  const members: EnumShape['members'][number][] = []
  for (const member of declaration?.members ?? []) {
    const value = checker.getConstantValue(member)
    const isMeant = value !== undefined && (values.has(value) || values.has(undefined as never))
    if (isMeant) members.push({ name: nameOfMember(member), value })
  }
  const symbol = declaration && checker.getSymbolAtLocation(declaration.name)
  // If the values of members are computed, only the kind of value is known.
  if (members.length === 0) return { kind: 'number' }
  const type = symbol && options.names.typeName(symbol)
  const shape: EnumShape = { kind: 'enum', members, type }
  // Numbers already are members; a text becomes one by looking it up in the enum.
  if (type || options.mode === 'output' || !needsRevival(shape)) return shape
  const name = declaration?.name.text
  options.problems.add(place.node, {
    message: `${place.path} is the enum ${name}, which its file does not export.`,
    fix: `Export enum ${name}, outside of any namespace.`,
  })
  return { kind: 'unknown' }
}

const nameOfMember = ({ name }: ts.EnumMember): string =>
  ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : name.getText()

function enumOf(type: ts.Type): ts.EnumDeclaration | undefined {
  const declaration = type.symbol?.declarations?.[0]
  if (!declaration) return undefined
  if (ts.isEnumDeclaration(declaration)) return declaration
  return ts.isEnumMember(declaration) ? declaration.parent : undefined
}

/** The compiler's order of members may differ from run to run, so the source's order is used. */
function inOrder(type: ts.UnionType, place: Place, checker: ts.TypeChecker): readonly ts.Type[] {
  const alias = type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration)
  const written = alias?.type ?? place.written
  const order = written ? membersOf(written, checker) : []
  const rank = (member: ts.Type): number => {
    const index = order.indexOf(member)
    return index < 0 ? order.length : index
  }
  const named = type.types.map((member) => ({
    member,
    rank: rank(member),
    key: keyOf(member, checker),
  }))
  const sorted = named.sort(
    (a, b) => a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
  )
  return sorted.map(({ member }) => member)
}

const keyOf = (type: ts.Type, checker: ts.TypeChecker): string =>
  checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)

function membersOf(node: ts.TypeNode, checker: ts.TypeChecker): readonly ts.Type[] {
  if (ts.isParenthesizedTypeNode(node)) return membersOf(node.type, checker)
  if (ts.isUnionTypeNode(node)) return node.types.flatMap((one) => membersOf(one, checker))
  const type = checker.getTypeFromTypeNode(node)
  if (!type.isUnion()) return [type]
  const alias = type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration)
  return alias && ts.isUnionTypeNode(alias.type) ? membersOf(alias.type, checker) : type.types
}
