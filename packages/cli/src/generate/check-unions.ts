/**
 * Reports unions whose members cannot be told apart when they are revived. Runs between reading and
 * writing.
 */
import type { Problems } from './read/problems.ts'
import type { ReadUnion } from './read/reading.ts'
import { needsRevival } from './shape/shape-walk.ts'
import { branchesOf } from './write/union-tests.ts'

/** Called when every type is read, because types may contain themselves. */
export function checkUnions(unions: readonly ReadUnion[], problems: Problems): void {
  for (const { union, place } of unions) {
    const members = union.members.filter(({ kind }) => kind !== 'null' && kind !== 'undefined')
    if (!members.some(needsRevival) || branchesOf(members)) continue
    problems.add(place.node, {
      message: `${place.path} is a union whose members look the same in JSON: what the model sends cannot be told apart.`,
      fix: "Take one of them, or give each a property with a constant of its own, such as kind: 'circle'.",
    })
  }
}
