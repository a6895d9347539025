/** Whether TypeScript can read the type of what a model sends off the schema's own literal, and cheaply. */
import { referencesIn } from './schema-of.ts'
import type { Shape } from '../shape/shape.ts'
import { partsOf, someWithin } from '../shape/shape-walk.ts'

/** Larger literals are given their type beside them: reading it off would slow the editor down. */
const MOST = 40

export function isInferable(shape: Shape): boolean {
  if (referencesIn(shape).size > 0) return false
  return !someWithin(shape, isHard) && sizeOf(shape) <= MOST
}

const sizeOf = (shape: Shape): number => partsOf(shape).reduce((sum, part) => sum + sizeOf(part), 1)

/** What the inference of the library does not say, or says more loosely. */
function isHard(shape: Shape): boolean {
  if (shape.kind === 'tuple') return shape.items.some(({ optional }) => optional)
  if (shape.kind === 'object')
    return shape.others !== undefined || shape.properties.some(({ name }) => /^\d/.test(name))
  if (shape.kind === 'record') return shape.keyPattern !== undefined
  if (shape.kind === 'map') return shape.key.kind !== 'string'
  return shape.kind === 'template' || shape.kind === 'json'
}
