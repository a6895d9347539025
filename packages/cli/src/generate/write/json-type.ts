/**
 * Writes the TypeScript type of what a model sends for a shape. Named types become interfaces of the
 * generated file.
 */
import { END, keyCode, MEMBER_END, list, valueCode, type Code } from './code.ts'
import type { Names } from './names.ts'
import type { Definition, ObjectShape, Shape, TupleShape } from '../shape/shape.ts'
import { isTextKey } from '../shape/shape-walk.ts'

const SIMPLE: { readonly [kind: string]: string } = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  undefined: 'null',
  bigint: 'string | number',
  date: 'string',
  url: 'string',
  bytes: 'string',
  buffer: 'string',
  unknown: 'unknown',
  'any-object': 'Record<string, unknown>',
}

/** Code of an interface, and the name it is declared by. */
export class JsonTypes {
  readonly #names: Names
  readonly #declared = new Map<Definition, string>()
  readonly #declarations: Code[] = []
  #anyJson: string | undefined

  constructor(names: Names) {
    this.#names = names
  }

  get declarations(): readonly Code[] {
    return this.#declarations
  }

  code(shape: Shape): Code {
    if (shape.kind === 'named') return this.#named(shape.definition)
    if (shape.kind === 'template') return shape.text
    if (shape.kind === 'literals') return union(shape.values.map(valueCode))
    if (shape.kind === 'enum') return union(shape.members.map(({ value }) => valueCode(value)))
    if (shape.kind === 'array' || shape.kind === 'set') return this.#list(shape.item)
    if (shape.kind === 'map') return this.#map(shape.key, shape.value)
    if (shape.kind === 'tuple') return this.#tuple(shape)
    if (shape.kind === 'record') return ['{ [key: string]: ', this.code(shape.value), ' }']
    if (shape.kind === 'object') return this.#object(shape)
    if (shape.kind === 'union') return union(shape.members.map((one) => this.code(one)))
    return shape.kind === 'json' ? this.#json() : SIMPLE[shape.kind]!
  }

  #named(definition: Definition): Code {
    const declared = this.#declared.get(definition)
    if (declared !== undefined) return declared
    const name = this.#names.claim(`${this.#names.definition(definition)}Json`)
    this.#declared.set(definition, name)
    const at = this.#declarations.push('') - 1
    const { shape } = definition
    this.#declarations[at] =
      shape.kind === 'object'
        ? ['interface ', name, ' ', this.#object(shape, true)]
        : ['type ', name, ' = ', this.code(shape), END]
    return name
  }

  #list(item: Shape): Code {
    const code = this.code(item)
    const isCompound = item.kind === 'union' || item.kind === 'literals' || item.kind === 'enum' || item.kind === 'bigint' // prettier-ignore
    return isCompound ? ['(', code, ')[]'] : [code, '[]']
  }

  #map(key: Shape, value: Shape): Code {
    if (!isTextKey(key)) return ['[', this.code(key), ', ', this.code(value), '][]']
    const keys = this.code(key)
    return key.kind === 'string'
      ? ['{ [key: string]: ', this.code(value), ' }']
      : ['{ [key in ', keys, ']?: ', this.code(value), ' }']
  }

  #tuple({ items, rest }: TupleShape): Code {
    const codes = items.map(({ shape, optional }) =>
      optional ? ['(', this.code(shape), ')?'] : this.code(shape),
    )
    return list(['[', ']'], rest ? [...codes, ['...(', this.code(rest), ')[]']] : codes)
  }

  #object({ properties, others }: ObjectShape, broken = false): Code {
    const codes = properties.map(({ name, shape, optional }) => [
      keyCode(name),
      optional ? '?: ' : ': ',
      this.code(shape),
    ])
    const all = others ? [...codes, ['[key: string]: ', this.code(others)]] : codes
    return list(['{', '}'], all, { broken, separator: MEMBER_END, last: END })
  }

  #json(): string {
    if (this.#anyJson !== undefined) return this.#anyJson
    const name = this.#names.claim('AnyJson')
    this.#anyJson = name
    const members = `string | number | boolean | null | ${name}[] | { [key: string]: ${name} }`
    this.#declarations.push(['type ', name, ' = ', members, END])
    return name
  }
}

const union = (codes: readonly Code[]): Code =>
  codes.flatMap((code, index) => (index ? [' | ', code] : [code]))
