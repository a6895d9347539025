/** What a schema says about the value itself: type, constants, numbers, strings, format. */
import { canonicalText } from './canonical-text.ts'
import type { Check } from './check-run.ts'
import { describeValue, shorten } from './describe-value.ts'
import { FORMATS } from './formats.ts'
import { isOfType } from './json-type.ts'
import { limit, sizeLimits, type Measure } from './limits.ts'
import { patternOf } from './pattern-of.ts'
import type { Keyword } from './keyword.ts'
import type { SchemaObject } from './subschemas.ts'

const LONGEST_LIST = 400

const type: Keyword = ({ type: named }) => {
  if (named === undefined) return undefined
  const types: readonly unknown[] = Array.isArray(named) ? named : [named]
  const expected = types.join(' or ')
  return (value, run) => isOfType(value, types) || run.fail(expected, value, 'type')
}

const constant: Keyword = (schema) => {
  if (!Object.hasOwn(schema, 'const')) return undefined
  return oneOf([schema.const])
}

const enumeration: Keyword = ({ enum: allowed }) => {
  return Array.isArray(allowed) ? oneOf(allowed) : undefined
}

function oneOf(allowed: readonly unknown[]): Check {
  const plain = new Set(allowed.filter((value) => typeof value !== 'object'))
  const texts = new Set(
    allowed.filter((value) => typeof value === 'object').map((value) => canonicalText(value)),
  )
  const names = shorten(allowed.map(nameOf).join(', '), LONGEST_LIST)
  const expected = allowed.length === 1 ? names : `one of ${names}`
  return (value, run) => {
    const fits =
      typeof value === 'object'
        ? texts.size > 0 && texts.has(canonicalText(value))
        : plain.has(value)
    return fits || run.fail(expected, value, 'constant')
  }
}

function nameOf(value: unknown): string {
  return typeof value === 'object' ? shorten(canonicalText(value)) : describeValue(value)
}

const numberOf: Measure = (value) => (typeof value === 'number' ? value : undefined)

function numeric(
  keyword: string,
  words: string,
  fits: (value: number, limit: number) => boolean,
): Keyword {
  return limit(keyword, { measure: numberOf, fits, expected: (bound) => `${words} ${bound}` })
}

/** Within the rounding of one division: 0.0075 is a multiple of 0.0001. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * 4 * Math.abs(quotient)
}

function codePoints(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++, count++) if (text.codePointAt(at)! > 0xffff) at++
  return count
}

const pattern: Keyword = ({ pattern: source, format: name }) => {
  if (typeof source !== 'string') return undefined
  const expression = patternOf(source)
  // A long pattern beside a format is a library's own spelling of that format.
  const isSpelling = typeof name === 'string' && source.length > 80
  const expected = isSpelling ? name : `text that matches ${shorten(source, 200)}`
  return (value, run) =>
    typeof value !== 'string' || expression.test(value) || run.fail(expected, value)
}

/** Formats nobody defined are notes, as the specification says. */
export const format: Keyword = ({ format: name }: SchemaObject) => {
  const fits = typeof name === 'string' && Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
  return (
    fits &&
    ((value, run) =>
      typeof value !== 'string' || fits(value) || run.fail(`${name as string}`, value))
  )
}

export const VALUE_LIMITS: readonly Keyword[] = [
  type,
  constant,
  enumeration,
  numeric('minimum', 'at least', (value, least) => value >= least),
  numeric('maximum', 'at most', (value, most) => value <= most),
  numeric('exclusiveMinimum', 'more than', (value, least) => value > least),
  numeric('exclusiveMaximum', 'less than', (value, most) => value < most),
  numeric('multipleOf', 'a multiple of', isMultiple),
  ...sizeLimits(
    'Length',
    (value) => (typeof value === 'string' ? codePoints(value) : undefined),
    'character',
  ),
  pattern,
]
