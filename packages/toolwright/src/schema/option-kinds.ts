/**
 * What the values of options must be. A value of the wrong kind is refused where it is given: later it would
 * fail in the middle of a run, or do nothing.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { describeValue } from './describe-value.ts'
import { isObject } from './json-object.ts'

/** What a value must be, in words, and whether it is. */
export type Kind = readonly [words: string, fits: (value: unknown) => boolean]

/** A kind for every option. */
export type Kinds<Options> = { readonly [name in keyof Required<Options>]: Kind }

const isText = (x: unknown): x is string => typeof x === 'string'
const isFunction = (x: unknown): boolean => typeof x === 'function'

/** Checked by whoever reads it. */
export const ANY: Kind = ['anything', () => true]
export const TEXT: Kind = ['a text', isText]
export const NUMBER: Kind = ['a finite number', Number.isFinite]
export const COUNT: Kind = [
  'a whole number of at least 1',
  (x) => Number.isInteger(x) && (x as number) >= 1,
]
export const TRUTH: Kind = ['true or false', (x) => typeof x === 'boolean']
export const OBJECT: Kind = ['an object', isObject]
export const FUNCTION: Kind = ['a function', isFunction]

export const listOf = (words: string, fits: (item: unknown) => boolean): Kind => [
  `a list of ${words}`,
  (x) => Array.isArray(x) && x.every(fits),
]
export const TEXTS: Kind = /* @__PURE__ */ listOf('texts', isText)
export const CLASSES: Kind = /* @__PURE__ */ listOf('error classes', isFunction)

export const oneOf = (...words: readonly string[]): Kind => [
  words.map((word) => `'${word}'`).join(' or '),
  (x) => words.includes(x as string),
]

/** Methods may be inherited. */
export const withMethods = (...names: readonly string[]): Kind => [
  `an object with ${names.map((name) => `${name}()`).join(', ')}`,
  (x) => names.every((name) => isFunction((Object(x) as { [name: string]: unknown })[name])),
]

const [LOGGER_METHODS, isLogger] = /* @__PURE__ */ withMethods('debug', 'info', 'warn', 'error')
/** `false` is silent, whatever `TOOLWRIGHT_LOG` says. */
export const LOGGER: Kind = [LOGGER_METHODS, (x) => x === false || isLogger(x)]
const [OBSERVER_METHODS, isObserver] = /* @__PURE__ */ withMethods('start')
/** One, or several. */
export const OBSERVER: Kind = [
  `${OBSERVER_METHODS}, or a list of these`,
  (x) => (Array.isArray(x) ? x.every(isObserver) : isObserver(x)),
]
export const CLOCK: Kind = /* @__PURE__ */ withMethods('now', 'monotonic', 'timer')
export const RANDOM: Kind = /* @__PURE__ */ withMethods('next', 'bytes')

export const PROVIDER_OPTIONS: Kind = [
  'an object with a key for each provider',
  (x) => isObject(x) && Object.values(x).every(isObject),
]

/** What is wrong with the first option of a wrong kind. An option that is undefined is not given. */
export function wrongKind(
  where: string,
  options: object,
  kinds: { readonly [name: string]: Kind },
): string | undefined {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || !Object.hasOwn(kinds, name)) continue
    const [words, fits] = kinds[name]!
    if (!fits(value)) return `${where}: ${name} is ${describeValue(value)}; it takes ${words}.`
  }
  return undefined
}

export function checkKinds(
  where: string,
  options: object | undefined,
  kinds: { readonly [name: string]: Kind },
): void {
  const wrong = wrongKind(where, options ?? {}, kinds)
  if (wrong) throw new ConfigurationError('invalid-option', wrong)
}
