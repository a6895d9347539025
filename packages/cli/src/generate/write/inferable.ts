/** Whether TypeScript can infer the type of what a model sends from the schema literal, cheaply. */
import { referencesIn } from './schema-of.ts'
import type { Shape } from '../shape/shape.ts'
import { partsOf, someWithin } from '../shape/shape-walk.ts'

/** For larger literals the type is written out, because inference would slow down the editor. */
const MOST = 40

export function isInferable(shape: Shape): boolean {
  if (referencesIn(shape).size > 0) return false
  return !someWithin(shape, isHard) && sizeOf(shape) <= MOST
}

const sizeOf = (shape: Shape): number => partsOf(shape).reduce((sum, part) => sum + sizeOf(part), 1)

/** Shapes that the library's inference cannot express, or only loosely. */
function isHard(shape: Shape): boolean {
  if (shape.kind === 'tuple') return shape.items.some(({ optional }) => optional)
  if (shape.kind === 'object')
    return shape.others !== undefined || shape.properties.some(({ name }) => /^\d/.test(name))
  if (shape.kind === 'record') return shape.keyPattern !== undefined
  if (shape.kind === 'map') return shape.key.kind !== 'string'
  return shape.kind === 'template' || shape.kind === 'json'
}
