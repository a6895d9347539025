/** Values that are likely to fit a schema, and simpler ones that are not. */
import { isObject, valueAt } from '../../packages/toolwright/src/schema/json-object.ts'
import type { Schema } from './schema-arbitrary.ts'

/** A number from 0 to 1, another each time. */
export type Chance = () => number

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return state / 2 ** 32
  }
}

const TEXTS = ['a', 'b', 'ab', '', '2024-01-31', '123e4567-e89b-12d3-a456-426614174000', '[1]', '5']
const NUMBERS = [0, 1, 2, 3, 4, 2.5]
const NAMES = ['a', 'b', 'x-1', '__proto__', 'again', 'n', 'z']

export class Sampler {
  readonly #root: Schema
  readonly #chance: Chance

  constructor(root: Schema, chance: Chance) {
    this.#root = root
    this.#chance = chance
  }

  of(schema: unknown, depth = 0): unknown {
    if (!isObject(schema) || depth > 12) return this.#any(depth)
    const { $ref, allOf, anyOf, oneOf, enum: members, const: constant } = schema
    const choices: unknown[] = [
      ...(typeof $ref === 'string' ? [this.#target($ref)] : []),
      ...[anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? [this.#pick(each)] : [])),
      ...(Array.isArray(allOf) ? [this.#joined(schema, allOf)] : []),
    ]
    const hasOwn = schema.properties !== undefined || schema.type !== undefined
    if (choices.length > 0 && (!hasOwn || this.#chance() < 0.5)) {
      const chosen = this.#pick(choices)
      return this.of(hasOwn && isObject(chosen) ? { ...schema, anyOf: undefined, oneOf: undefined, allOf: undefined, $ref: undefined, ...chosen } : chosen, depth + 1) // prettier-ignore
    }
    if (constant !== undefined) return constant
    if (Array.isArray(members)) return this.#pick(members)
    return this.#typed(schema, depth)
  }

  #joined(
    schema: Schema | { readonly [key: string]: unknown },
    parts: readonly unknown[],
  ): unknown {
    const { allOf: _parts, ...own } = schema
    return Object.assign({}, own, ...parts.filter(isObject)) as unknown
  }

  #typed(schema: { readonly [key: string]: unknown }, depth: number): unknown {
    const { type } = schema
    const implied =
      schema.properties !== undefined || schema.additionalProperties !== undefined
        ? 'object'
        : schema.items !== undefined || schema.prefixItems !== undefined
          ? 'array'
          : undefined
    switch (Array.isArray(type) ? this.#pick(type) : (type ?? implied)) {
      case 'string':
        return this.#pick(TEXTS)
      case 'integer':
        return this.#pick(NUMBERS.filter(Number.isInteger))
      case 'number':
        return this.#pick(NUMBERS)
      case 'boolean':
        return this.#chance() < 0.5
      case 'null':
        return null
      case 'object':
        return this.#object(schema, depth)
      case 'array':
        return this.#list(schema, depth)
      default:
        return this.#any(depth)
    }
  }

  #object(schema: { readonly [key: string]: unknown }, depth: number): unknown {
    const properties = isObject(schema.properties) ? schema.properties : {}
    const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
    const members: [string, unknown][] = []
    for (const name of new Set([...required, ...Object.keys(properties)])) {
      if (!required.includes(name) && this.#chance() < 0.4) continue
      const own = valueAt(properties, [name]) ?? schema.additionalProperties
      if (own !== false) members.push([name, this.of(own, depth + 1)])
    }
    const { additionalProperties, patternProperties } = schema
    const others = [additionalProperties, ...Object.values(Object(patternProperties) as object)]
    for (const name of NAMES)
      if (additionalProperties !== false && this.#chance() < 0.15)
        members.push([name, this.of(this.#pick(others), depth + 1)])
    if (patternProperties !== undefined && this.#chance() < 0.5)
      members.push(['x-1', this.of(this.#pick(Object.values(patternProperties as object)), depth + 1)]) // prettier-ignore
    return Object.fromEntries(members)
  }

  #list(schema: { readonly [key: string]: unknown }, depth: number): unknown {
    const { items, prefixItems, minItems, maxItems, additionalItems } = schema
    const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [] // prettier-ignore
    const rest = Array.isArray(items) ? additionalItems : items
    const length = Math.min(Number(maxItems ?? 9), Math.max(Number(minItems ?? 0), Math.floor(this.#chance() * 3) + (this.#chance() < 0.6 ? first.length : 0))) // prettier-ignore
    const most = rest === false ? Math.min(length, first.length) : length
    return Array.from({ length: most }, (_, at) => this.of(at < first.length ? first[at] : rest, depth + 1)) // prettier-ignore
  }

  #any(depth: number): unknown {
    const kind = Math.floor(this.#chance() * (depth > 3 ? 4 : 6))
    if (kind === 0) return this.#pick(TEXTS)
    if (kind === 1) return this.#pick(NUMBERS)
    if (kind === 2) return this.#chance() < 0.5
    if (kind === 3) return null
    if (kind === 4) return [this.#any(depth + 2)]
    return Object.fromEntries([[this.#pick(NAMES), this.#any(depth + 2)]])
  }

  #target(reference: string): unknown {
    if (reference === '#here') return valueAt(this.#root, ['$defs', 'here'])
    return valueAt(this.#root, reference.split('/').slice(1))
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#chance() * values.length)]!
  }
}
