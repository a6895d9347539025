/** Keywords that hold a measure of the value against a number: a size, a length, the number itself. */
import type { Keyword } from './keyword.ts'

/** The measure of a value, or nothing when the keyword does not speak about such values. */
export type Measure = (value: unknown) => number | undefined

interface Limit {
  readonly measure: Measure
  readonly fits: (measure: number, limit: number) => boolean
  readonly expected: (limit: number) => string
}

export function limit(keyword: string, { measure, fits, expected }: Limit): Keyword {
  return ({ [keyword]: bound }) => {
    if (typeof bound !== 'number') return undefined
    return (value, run) => {
      const measured = measure(value)
      return measured === undefined || fits(measured, bound) || run.fail(expected(bound), value)
    }
  }
}

/** `minItems` and `maxItems`, and their like. */
export function sizeLimits(suffix: string, measure: Measure, unit: string): readonly Keyword[] {
  const count = (size: number): string => `${size} ${size === 1 ? unit : plural(unit)}`
  return [
    limit(`min${suffix}`, {
      measure,
      fits: (size, least) => size >= least,
      expected: (least) => `at least ${count(least)}`,
    }),
    limit(`max${suffix}`, {
      measure,
      fits: (size, most) => size <= most,
      expected: (most) => `at most ${count(most)}`,
    }),
  ]
}

const plural = (unit: string): string =>
  unit.endsWith('y') ? `${unit.slice(0, -1)}ies` : `${unit}s`
