/** The keywords that check a value without another schema: types, constants, limits, format. */
import { canonicalJson } from '../internal/canonical-json.ts'
import { shorten } from './describe-value.ts'
import { FORMATS } from './formats.ts'
import { has, isObject, keysOf, type JsonObject } from './json-object.ts'
import { isOfType, typesNamedBy } from './json-type.ts'
import type { Keyword, Keywords, Visit, Walk } from './keyword.ts'

/** Measures a value; undefined if the keyword does not apply to it. */
type Measure = (value: unknown) => number | undefined
/** The name of a unit, and how to measure it. */
type Unit = readonly [string, Measure]

const NUMBER: Unit = ['', (value) => (typeof value === 'number' ? value : undefined)]
const CHARACTERS: Unit = [
  ' character',
  (value) => (typeof value === 'string' ? [...value].length : undefined),
]
const ITEMS: Unit = [' item', (value) => (Array.isArray(value) ? value.length : undefined)]
const KEYS: Unit = [' key', (value) => (isObject(value) ? keysOf(value).length : undefined)]

type Comparison = readonly [string, (measured: number, bound: number) => boolean]

export const LEAST: Comparison = ['at least', (measured, bound) => measured >= bound]
export const MOST: Comparison = ['at most', (measured, bound) => measured <= bound]

export function limit([words, fits]: Comparison, [unit, measure]: Unit): Keyword {
  return (visit, bound, walk) => {
    const measured = measure(visit.value)
    if (typeof bound !== 'number' || measured === undefined || fits(measured, bound)) return
    const plural = unit === '' || bound === 1 ? '' : 's'
    walk.fail(visit, () => `${words} ${bound}${unit}${plural}`)
  }
}

/** Allows for the rounding of one division: 0.0075 is a multiple of 0.0001. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * 4 * Math.abs(quotient)
}

function constants(visit: Visit, allowed: readonly unknown[], walk: Walk): void {
  const { value } = visit
  const isAllowed = (constant: unknown): boolean =>
    constant === value ||
    (typeof constant === 'object' &&
      typeof value === 'object' &&
      canonicalJson(constant) === canonicalJson(value))
  if (allowed.some(isAllowed)) return
  const names = (): string => allowed.map((constant) => shorten(canonicalJson(constant))).join(', ')
  walk.fail(visit, () => (allowed.length === 1 ? '' : 'one of ') + shorten(names(), 400))
  // A different constant usually means that another alternative was meant.
  visit.cost += 9
}

function requires(visit: Visit, names: unknown, walk: Walk): void {
  if (!isObject(visit.value) || !Array.isArray(names)) return
  for (const name of names as string[]) {
    if (has(visit.value, name)) continue
    const { properties } = visit.schema
    const types = has(properties, name) ? typesNamedBy(properties[name]) : undefined
    walk.fail(visit, () => `${types?.join(' or ') ?? 'a value'} (required)`, name)
  }
}

export const ASSERTIONS: Keywords = {
  type(visit, named, walk) {
    const types: readonly unknown[] = Array.isArray(named) ? named : [named]
    if (!isOfType(visit.value, types)) walk.fail(visit, () => types.join(' or '))
  },
  const: (visit, constant, walk) => constants(visit, [constant], walk),
  enum(visit, allowed, walk) {
    if (Array.isArray(allowed)) constants(visit, allowed, walk)
  },
  minimum: limit(LEAST, NUMBER),
  maximum: limit(MOST, NUMBER),
  exclusiveMinimum: limit(['more than', (value, bound) => value > bound], NUMBER),
  exclusiveMaximum: limit(['less than', (value, bound) => value < bound], NUMBER),
  multipleOf: limit(['a multiple of', isMultiple], NUMBER),
  minLength: limit(LEAST, CHARACTERS),
  maxLength: limit(MOST, CHARACTERS),
  pattern(visit, source, walk) {
    if (typeof visit.value !== 'string' || walk.pattern(String(source)).test(visit.value)) return
    const { format } = visit.schema
    walk.fail(visit, () =>
      // A long pattern beside a format is a library's way to write that format.
      format && String(source).length > 80
        ? String(format)
        : `text that matches ${shorten(String(source), 200)}`,
    )
  },
  required: requires,
  minProperties: limit(LEAST, KEYS),
  maxProperties: limit(MOST, KEYS),
  dependentRequired(visit, dependencies, walk) {
    for (const key of keysOf(dependencies)) {
      if (has(visit.value, key)) requires(visit, (dependencies as JsonObject)[key], walk)
    }
  },
  minItems: limit(LEAST, ITEMS),
  maxItems: limit(MOST, ITEMS),
  uniqueItems(visit, isWanted, walk) {
    if (isWanted !== true || !Array.isArray(visit.value)) return
    const different = new Set(visit.value.map(canonicalJson))
    if (different.size < visit.value.length) walk.fail(visit, () => 'items that all differ')
  },
  format(visit, name, walk) {
    const format = walk.formats && has(FORMATS, String(name)) && FORMATS[String(name)]
    if (!format || typeof visit.value !== 'string' || format(visit.value)) return
    walk.fail(visit, () => String(name))
  },
}
