/** Values of a wrong kind, put one by one into every place of a good one. */
import type { Json } from 'toolwright'

export const WRONG: readonly unknown[] = [null, undefined, 7, '', 'odd', true, {}, ['odd', null]]

export interface Spoiled {
  /** The place and the value, for the name of a test. */
  readonly what: string
  readonly value: unknown
}

/** The same value over and over, each time with one place spoiled. */
export function spoiled(good: Json, wrong: readonly unknown[] = WRONG): readonly Spoiled[] {
  return pathsIn(good).flatMap((path) =>
    wrong.map((value) => ({
      what: `${path.join('.')} = ${JSON.stringify(value)}`,
      value: withAt(good, path, value),
    })),
  )
}

type Path = readonly (string | number)[]

function pathsIn(value: Json): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [[]]
  const inner = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : Object.entries(value)
  return [
    [],
    ...inner.flatMap(([key, item]) => pathsIn(item as Json).map((path) => [key, ...path])),
  ]
}

function withAt(value: unknown, [key, ...rest]: Path, wrong: unknown): unknown {
  if (key === undefined) return wrong
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as {
    [key: string | number]: unknown
  }
  copy[key] = withAt(copy[key], rest, wrong)
  return copy
}
