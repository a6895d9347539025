/** Walks shapes: their parts, what must be revived, and how often each type is used. */
import type { Definition, Shape } from './shape.ts'

/** The shapes directly inside a shape. */
export function partsOf(shape: Shape): readonly Shape[] {
  if (shape.kind === 'array' || shape.kind === 'set') return [shape.item]
  if (shape.kind === 'map') return [shape.key, shape.value]
  if (shape.kind === 'tuple')
    return [...shape.items.map((item) => item.shape), ...(shape.rest ? [shape.rest] : [])]
  if (shape.kind === 'record') return [shape.value]
  if (shape.kind === 'object')
    return [...shape.properties.map((one) => one.shape), ...(shape.others ? [shape.others] : [])]
  if (shape.kind === 'union') return shape.members
  return shape.kind === 'named' ? [shape.definition.shape] : []
}

/** Every definition inside a shape, and how often it is used. */
export function definitionsIn(shape: Shape): ReadonlyMap<Definition, number> {
  const uses = new Map<Definition, number>()
  const visit = (one: Shape): void => {
    if (one.kind === 'named') {
      const before = uses.get(one.definition) ?? 0
      uses.set(one.definition, before + 1)
      if (before > 0) return
    }
    partsOf(one).forEach(visit)
  }
  visit(shape)
  return uses
}

/** Whether any shape inside passes the test. */
export function someWithin(shape: Shape, test: (one: Shape) => boolean): boolean {
  const seen = new Set<Definition>()
  const visit = (one: Shape): boolean => {
    if (one.kind === 'named') {
      if (seen.has(one.definition)) return false
      seen.add(one.definition)
    }
    return test(one) || partsOf(one).some(visit)
  }
  return visit(shape)
}

const REVIVED = ['date', 'url', 'bytes', 'buffer', 'bigint', 'set', 'map', 'undefined']

/** Whether the real value differs from its JSON form. */
export const needsRevival = (shape: Shape): boolean =>
  someWithin(shape, (one) => {
    if (one.kind === 'enum') return one.members.some(({ value }) => typeof value === 'string')
    if (one.kind !== 'object') return REVIVED.includes(one.kind)
    return one.class !== undefined || one.properties.some(({ optional, keyWanted }) => optional && keyWanted) // prettier-ignore
  })

/** The shape behind a named one. */
export const bareShape = (shape: Shape): Shape =>
  shape.kind === 'named' ? bareShape(shape.definition.shape) : shape

/** Whether the keys are text, so that a map of them is an object. */
export function isTextKey(key: Shape): boolean {
  if (key.kind === 'literals') return key.values.every((value) => typeof value === 'string')
  if (key.kind === 'enum') return key.members.every(({ value }) => typeof value === 'string')
  if (key.kind === 'union') return key.members.every(isTextKey)
  return key.kind === 'string' || key.kind === 'template'
}
