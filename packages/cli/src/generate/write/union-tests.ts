/**
 * Tells the members of a union apart in JSON: by the kind of value, by a property with a constant, or by a
 * property that only one of them has. Only members that are revived differently must be told apart.
 */
import { memberCode, valueCode, type Code } from './code.ts'
import { kindsOf, valuesOf, type Kind } from '../shape/json-kinds.ts'
import type { Literal, ObjectShape, Shape } from '../shape/shape.ts'
import { bareShape, needsRevival } from '../shape/shape-walk.ts'

/** One branch of a union: the test of a value, and the member. The last branch needs no test. */
export interface Branch {
  readonly member: Shape
  /** Undefined: everything that is left. */
  readonly test: ((value: string) => Code) | undefined
  /** The property whose constant identifies the member. */
  readonly constant?: { readonly name: string; readonly value: Literal } | undefined
}

/**
 * The branches of the members besides null, in the order of testing; undefined if they cannot be told
 * apart.
 */
export function branchesOf(members: readonly Shape[]): readonly Branch[] | undefined {
  const revived = members.filter(needsRevival)
  const plain = members.filter((member) => !needsRevival(member))
  const constants = plain.filter(({ kind }) => kind === 'literals' || kind === 'enum')
  const branches: Branch[] = []
  // Constants come first: a value that equals one of them can be nothing else.
  for (const member of constants) {
    const isShared = revived.some((other) => shareKind(member, other))
    if (isShared) branches.push({ member, test: equals(valuesOf(member)) })
  }
  const tested = new Set(branches.map(({ member }) => member))
  for (const [index, member] of revived.entries()) {
    const others = [...revived.slice(index + 1), ...plain.filter((one) => !tested.has(one))]
    const test = testOf(member, others)
    if (!test) return undefined
    branches.push({ member, test, constant: constantOf(member) })
  }
  const rest = plain.find((member) => !tested.has(member))
  if (rest) return [...branches, { member: rest, test: undefined }]
  const last = branches.at(-1)
  return last && [...branches.slice(0, -1), { ...last, test: undefined }]
}

const equals =
  (values: readonly Literal[]) =>
  (value: Code): Code =>
    values.flatMap((one, index) => [index > 0 ? ' || ' : '', value, ' === ', valueCode(one)])

const shareKind = (one: Shape, other: Shape): boolean =>
  kindsOf(one).some((kind) => kindsOf(other).includes(kind))

/** A test that this member passes and no other member does. */
function testOf(member: Shape, others: readonly Shape[]): Branch['test'] {
  const rivals = others.filter((other) => shareKind(member, other))
  if (rivals.length === 0) return (value) => kindTest(kindsOf(member), value, others)
  const own = bareShape(member)
  const objects = rivals.map(bareShape)
  if (own.kind !== 'object' || !objects.every((one) => one.kind === 'object')) return undefined
  return constantTest(own, objects) ?? presenceTest(own, objects)
}

/** A property with a constant value. */
export function constantOf(member: Shape): Branch['constant'] {
  const bare = bareShape(member)
  const properties = bare.kind === 'object' ? bare.properties : []
  const constant = properties.find(
    ({ shape }) => shape.kind === 'literals' && shape.values.length === 1,
  )
  return constant && { name: constant.name, value: valuesOf(constant.shape)[0]! }
}

function kindTest(kinds: readonly Kind[], value: string, others: readonly Shape[]): Code {
  return kinds.flatMap((kind, index) => {
    const test =
      kind === 'array'
        ? `Array.isArray(${value})`
        : kind === 'object' && others.some((other) => kindsOf(other).includes('array'))
          ? [`typeof ${value} === `, valueCode('object'), ` && !Array.isArray(${value})`]
          : [`typeof ${value} === `, valueCode(kind)]
    return [index > 0 ? ' || ' : '', test]
  })
}

/** `shape.kind === 'circle'`: a property that all members have, with different constants. */
function constantTest(own: ObjectShape, rivals: readonly ObjectShape[]): Branch['test'] {
  for (const { name, shape, optional } of own.properties) {
    const values = valuesOf(bareShape(shape))
    if (optional || values.length === 0) continue
    const isOwn = rivals.every((rival) => {
      const other = rival.properties.find((one) => one.name === name)
      const theirs = other && !other.optional ? valuesOf(bareShape(other.shape)) : []
      return theirs.length > 0 && !theirs.some((value) => values.includes(value))
    })
    if (isOwn) return (value) => equals(values)(memberCode(value, name))
  }
  return undefined
}

/** `'radius' in shape`: a required property that no other member has. */
function presenceTest(own: ObjectShape, rivals: readonly ObjectShape[]): Branch['test'] {
  const isOwn = (name: string): boolean =>
    rivals.every((rival) => !rival.others && !rival.properties.some((one) => one.name === name))
  const found = own.properties.find(({ name, optional }) => !optional && isOwn(name))
  return found && ((value) => [valueCode(found.name), ` in ${value}`])
}
