/** The kinds of JSON values that a shape may have, and its constants. */
import type { Literal, Shape } from './shape.ts'
import { bareShape, isTextKey } from './shape-walk.ts'

export type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array'

/** The constants of literals and enums; none for other shapes. */
export const valuesOf = (shape: Shape): readonly Literal[] =>
  shape.kind === 'enum'
    ? shape.members.map(({ value }) => value)
    : shape.kind === 'literals'
      ? shape.values
      : []

/** The kinds of JSON values that a shape may have, without null. */
export function kindsOf(shape: Shape): readonly Kind[] {
  const bare = bareShape(shape)
  if (bare.kind === 'bigint') return ['string', 'number']
  if (bare.kind === 'number' || bare.kind === 'boolean') return [bare.kind]
  if (bare.kind === 'literals' || bare.kind === 'enum')
    return [...new Set(valuesOf(bare).map((value) => typeof value as Kind))]
  if (bare.kind === 'array' || bare.kind === 'set' || bare.kind === 'tuple') return ['array']
  if (bare.kind === 'map') return [isTextKey(bare.key) ? 'object' : 'array']
  if (bare.kind === 'object' || bare.kind === 'record' || bare.kind === 'any-object')
    return ['object']
  if (bare.kind === 'union') return [...new Set(bare.members.flatMap(kindsOf))]
  if (bare.kind === 'null' || bare.kind === 'undefined') return []
  const isAnything = bare.kind === 'unknown' || bare.kind === 'json'
  return isAnything ? ['string', 'number', 'boolean', 'object', 'array'] : ['string']
}
