/**
 * Writes expressions that turn what a model sent into what the method takes: dates from text, maps from
 * objects, instances of classes. Each object gets a function with its JSON type as parameter and its real
 * type as result, so that the compiler notices when either changes.
 */
import { block, conditional, keyCode, list, text, valueCode, type Code } from './code.ts'
import { HELPERS, type HelperName } from './file-helpers.ts'
import type { JsonTypes } from './json-type.ts'
import type { Names } from './names.ts'
import type { Definition, EnumShape, MapShape, ObjectShape, Property, Shape, TupleShape, TypeName } from '../shape/shape.ts' // prettier-ignore
import { bareShape, isTextKey, needsRevival } from '../shape/shape-walk.ts'
import { identifierOf, isIdentifier, lowerFirst, RESERVED, upperFirst } from '../shape/identifier.ts' // prettier-ignore
import { itemPath, keyPath, memberPath, propertyPath, tuplePath, valuePath, withoutNull, type TypePath } from './type-path.ts' // prettier-ignore
import { branchesOf, type Branch } from './union-tests.ts'

/** A value in the generated code. */
interface Value {
  /** A name or a property of one, which is cheap to write twice. */
  readonly code: string
  /** The value's name, for naming functions. */
  readonly called: string
  /** The type that the value must have. */
  readonly type: TypePath
  /** How many callbacks deep it is, so that inner names differ from outer ones. */
  readonly depth: number
  /** Whether the value is spread with `...`, where the compiler does not know the expected type. */
  readonly isSpread?: boolean
}

export class Reviver {
  readonly #names: Names
  readonly #types: JsonTypes
  readonly #functions = new Map<Definition | ObjectShape, string>()
  readonly #enums = new Map<string, string>()
  readonly #helpers = new Map<HelperName, string>()
  readonly #declarations: Code[] = []

  constructor(names: Names, types: JsonTypes) {
    this.#names = names
    this.#types = types
  }

  /** The functions and tables that the expressions use. */
  get declarations(): readonly Code[] {
    return [
      ...this.#declarations,
      ...[...this.#helpers].map(([helper, name]) => HELPERS[helper](name)),
    ]
  }

  /** The expression that makes the real value. */
  revive(shape: Shape, value: Omit<Value, 'depth'>): Code {
    return this.#revive(shape, { ...value, depth: 0 })
  }

  /** An object that is put together from values in scope, each by the code for its name. */
  assemble({ properties }: ObjectShape, codeFor: (name: string) => string, type: TypePath): Code {
    return list(
      ['{', '}'],
      properties.map((one) => this.#entry(one, codeFor(one.name), type)),
    )
  }

  #revive(shape: Shape, value: Value): Code {
    const { code } = value
    if (!needsRevival(shape)) return code
    if (shape.kind === 'named') return this.#named(shape.definition, value)
    if (shape.kind === 'date') return `new Date(${code})`
    if (shape.kind === 'url') return `new URL(${code})`
    if (shape.kind === 'bigint') return `BigInt(${code})`
    if (shape.kind === 'bytes') return `${this.#helper('fromBase64')}(${code})`
    if (shape.kind === 'buffer') return [`Buffer.from(${code}, `, text('base64'), ')']
    if (shape.kind === 'undefined') return 'undefined'
    if (shape.kind === 'enum') return `${this.#enumTable(shape)}[${code}]`
    if (shape.kind === 'array') return this.#list(shape.item, value)
    if (shape.kind === 'set')
      return ['new Set(', this.#list(shape.item, value, valuePath(value.type)), ')']
    if (shape.kind === 'map') return this.#map(shape, value)
    if (shape.kind === 'record') return this.#record(shape.value, value)
    if (shape.kind === 'tuple') return this.#tuple(shape, value)
    if (shape.kind === 'union') return this.#union(shape.members, value)
    return shape.kind === 'object' ? `${this.#object(shape, value)}(${code})` : code
  }

  #list(item: Shape, value: Value, type = itemPath(value.type)): Code {
    return needsRevival(item)
      ? [value.code, '.map(', this.#callback(item, { ...value, type }), ')']
      : value.code
  }

  /** A function that revives one item: the one for its type, if there is one. */
  #callback(item: Shape, { called, type, depth, isSpread }: Value): Code {
    const name = depth === 0 ? 'item' : `item${depth + 1}`
    const inner = { code: name, called: `${called}Item`, type, depth: depth + 1 }
    const code = this.#revive(item, inner)
    const named = typeof code === 'string' ? /^(\w+)\((\w+)\)$/.exec(code) : null
    const isItself = named?.[2] === name && named[1] !== 'BigInt'
    const { kind } = bareShape(item)
    const isChoice = kind === 'union'
    const head =
      isSpread && type && (isChoice || kind === 'tuple')
        ? [`(${name}): `, type, ' => ']
        : `(${name}) => `
    return isItself ? named[1]! : [head, isChoice ? ['(', code, ')'] : code]
  }

  #map({ key, value: inner }: MapShape, value: Value): Code {
    const isText = isTextKey(key)
    const entries = isText
      ? `${key.kind === 'string' ? 'Object.entries' : this.#helper('entriesOf')}(${value.code})`
      : value.code
    if (!needsRevival(key) && !needsRevival(inner)) return `new Map(${entries})`
    return ['new Map(', this.#entries(entries, [key, inner], value), ')']
  }

  #record(inner: Shape, value: Value): Code {
    const pairs = [{ kind: 'string' }, inner] as const
    return [
      'Object.fromEntries(',
      this.#entries(`Object.entries(${value.code})`, pairs, value),
      ')',
    ]
  }

  #entries(entries: string, [key, inner]: readonly [Shape, Shape], value: Value): Code {
    const suffix = value.depth === 0 ? '' : String(value.depth + 1)
    const at = (name: string, type: TypePath): Value => ({
      code: name + suffix,
      called: `${value.called}${upperFirst(name)}`,
      type,
      depth: value.depth + 1,
    })
    const revivedKey = this.#revive(key, at('key', keyPath(value.type)))
    const revived = this.#revive(inner, at('value', valuePath(value.type)))
    const pair = ['[', revivedKey, ', ', revived, ']']
    return [entries, '.map(([key', suffix, ', value', suffix, ']) => ', pair, ' as const)']
  }

  #tuple(tuple: TupleShape, value: Value): Code {
    const { items, rest } = tuple
    if (rest) return this.#tupleWithRest(tuple, rest, value)
    const codes = items.map(({ shape }, index) =>
      this.#revive(shape, {
        ...value,
        code: `${value.code}[${index}]`,
        type: tuplePath(value.type, tuple, index),
      }),
    )
    const least = items.filter(({ optional }) => !optional).length
    let code = list(['[', ']'], codes)
    for (let length = codes.length - 1; length >= least; length--) {
      const shorter = list(['[', ']'], codes.slice(0, length))
      code = conditional(`${value.code}[${length}] === undefined`, shorter, code)
    }
    return code
  }

  #tupleWithRest(tuple: TupleShape, rest: Shape, value: Value): Code {
    const { items } = tuple
    const names = items.map((_item, index) => `part${index + 1}`)
    const at = (index: number): TypePath => tuplePath(value.type, tuple, index)
    const codes = items.map(({ shape }, index) =>
      this.#revive(shape, { ...value, type: at(index), code: names[index]! }),
    )
    const others = this.#list(rest, { ...value, code: 'rest', isSpread: true }, at(items.length))
    const result = list(['[', ']'], [...codes, ['...', others]])
    return ['(([', [...names, '...rest'].join(', '), ']) => ', result, ')(', value.code, ')']
  }

  #union(members: readonly Shape[], value: Value): Code {
    const has = (kind: Shape['kind']): boolean => members.some((member) => member.kind === kind)
    const rest = members.filter(({ kind }) => kind !== 'null' && kind !== 'undefined')
    const isNullable = rest.length < members.length
    const code = this.#branches(
      rest,
      isNullable ? { ...value, type: withoutNull(value.type) } : value,
    )
    if (has('null')) return code === value.code ? code : conditional(`${value.code} === null`, 'null', code) // prettier-ignore
    if (!has('undefined')) return code
    return code === value.code
      ? `${code} ?? undefined`
      : conditional(`${value.code} === null`, 'undefined', code)
  }

  #branches(members: readonly Shape[], value: Value): Code {
    if (!members.some(needsRevival)) return value.code
    const branches = branchesOf(members) ?? []
    const last = branches.at(-1)
    let code: Code = last
      ? this.#revive(last.member, branchValue(last, branches, value))
      : value.code
    for (const branch of branches.slice(0, -1).reverse()) {
      const revived = this.#revive(branch.member, branchValue(branch, branches, value))
      code = conditional(branch.test!(value.code), revived, code)
    }
    return code
  }

  #named(definition: Definition, value: Value): Code {
    const existing = this.#functions.get(definition)
    if (existing !== undefined) return `${existing}(${value.code})`
    const { shape, recursive } = definition
    const type = definition.type ? this.#names.use(definition.type, 'type') : value.type
    if (!recursive && shape.kind !== 'object') return this.#revive(shape, { ...value, type })
    const name = this.#names.claim(`revive${upperFirst(this.#names.definition(definition))}`)
    this.#functions.set(definition, name)
    const json = this.#types.code({ kind: 'named', definition })
    this.#declare(name, shape, { json, type })
    return `${name}(${value.code})`
  }

  /** The function for an object without a name. */
  #object(shape: ObjectShape, { called, type }: Value): string {
    const existing = this.#functions.get(shape)
    if (existing !== undefined) return existing
    const name = this.#names.claim(`revive${upperFirst(called)}`)
    this.#functions.set(shape, name)
    this.#declare(name, shape, { json: this.#types.code(shape), type })
    return name
  }

  #declare(name: string, shape: Shape, { json, type }: { json: Code; type: TypePath }): void {
    const at = this.#declarations.push('') - 1
    const [parameter, result] =
      shape.kind === 'object'
        ? this.#rebuilt(shape, type)
        : ['json', this.#revive(shape, { code: 'json', called: name.slice(6), type, depth: 0 })]
    const taken = list(['(', ')'], [[parameter, ': ', json]])
    const head = ['function ', name, taken, type ? [': ', type] : '', ' ']
    this.#declarations[at] = [...head, block([['return ', result]])]
  }

  /** Destructures the object, and builds the real one. */
  #rebuilt({ properties, class: from }: ObjectShape, type: TypePath): readonly [Code, Code] {
    const changed = properties.filter(isChanged)
    const others = changed.length < properties.length
    const locals = this.#locals(changed)
    const parts = changed.map((one) => keyAndName(one.name, locals.get(one)!))
    const parameter = changed.length > 0 ? list(['{', '}'], [...parts, ...(others ? ['...rest'] : [])]) : 'json' // prettier-ignore
    const entries = changed.map((one) => this.#entry(one, locals.get(one)!, type))
    const whole = others && changed.length > 0 ? ['...rest', ...entries] : entries
    const fields = changed.length > 0 ? list(['{', '}'], whole) : 'json'
    return [parameter, from ? this.#instance(from, fields) : fields]
  }

  #entry(property: Property, local: string, type: TypePath): Code {
    const { name, shape, optional, keyWanted } = property
    const inner = { code: local, called: name, type: propertyPath(type, property), depth: 0 }
    const code = this.#revive(shape, inner)
    if (!optional) return keyAndName(name, code)
    if (!keyWanted) return [`...(${local} !== undefined && `, list(['{', '}'], [keyAndName(name, code)]), ')'] // prettier-ignore
    return keyAndName(name, code === local ? code : conditional(`${local} === undefined`, 'undefined', code)) // prettier-ignore
  }

  /** The local variables of the properties; each has the property's own name if that is valid. */
  #locals(properties: readonly Property[]): ReadonlyMap<Property, string> {
    const isFree = ({ name }: Property): boolean =>
      isIdentifier(name) && !RESERVED.has(name) && !OWN.has(name) && !this.#names.isTaken(name)
    const plain = properties.filter(isFree)
    const locals = new Map(plain.map((one) => [one, one.name]))
    for (const one of properties.filter((property) => !isFree(property))) {
      const taken = [...locals.values()]
      let local = `${identifierOf(one.name)}_`
      while (taken.includes(local)) local += '_'
      locals.set(one, local)
    }
    return locals
  }

  #instance(type: TypeName, fields: Code): Code {
    const name = this.#names.use(type, 'value')
    return [this.#helper('withPrototype'), list(['(', ')'], [name, fields])]
  }

  /** A table from values to enum members: a text is not a member until it is looked up. */
  #enumTable({ members, type }: EnumShape): string {
    const from = this.#names.use(type!, 'value')
    const key = `${from} ${members.map(({ name }) => name).join(' ')}`
    const existing = this.#enums.get(key)
    if (existing !== undefined) return existing
    const name = this.#names.claim(`${lowerFirst(from)}Of`)
    this.#enums.set(key, name)
    const entries = members.map(({ name: member, value }) => [
      keyCode(String(value)),
      ': ',
      isIdentifier(member) ? `${from}.${member}` : [from, '[', valueCode(member), ']'],
    ])
    this.#declarations.push([`const ${name} = `, list(['{', '}'], entries), ' as const'])
    return name
  }

  #helper(helper: HelperName): string {
    const existing = this.#helpers.get(helper)
    if (existing !== undefined) return existing
    const name = this.#names.claim(helper)
    this.#helpers.set(helper, name)
    return name
  }
}

/** The value, narrowed to this branch. */
function branchValue({ constant }: Branch, all: readonly Branch[], value: Value): Value {
  if (all.length === 1) return value
  const type = constant && memberPath(value.type, constant.name, valueCode(constant.value))
  return { ...value, type }
}

const isChanged = ({ shape, optional, keyWanted }: Property): boolean =>
  needsRevival(shape) || (optional && keyWanted)

function keyAndName(name: string, code: Code): Code {
  return code === name ? name : [keyCode(name), ': ', code]
}

/** Names that the functions use themselves. */
const OWN: ReadonlySet<string> = new Set(['json', 'rest'])
