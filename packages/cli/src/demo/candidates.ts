/** Which mentions of a sentence could be the value of one parameter, and how much speaks for each. */
import type { Json, JsonSchema } from 'toolwright'
import { formatDate, type Now } from './dates.ts'
import { overlap, type Mention } from './mentions.ts'
import { numberIn } from './numbers.ts'
import type { Parameter } from './parameters.ts'
import { FUNCTION_WORDS, pull, wordsOf } from './words.ts'

export interface Sentence {
  readonly text: string
  readonly now: Now
}

export interface Candidate {
  readonly parameter: Parameter
  readonly mention: Mention
  readonly value: Json
  readonly score: number
}

/** A value read from a mention, and how likely such a mention is meant. */
type Reading = readonly [value: Json, weight: number] | undefined

/** An optional parameter wants more than being possible. */
const LEAST_FOR_OPTIONAL = 3.4
const SURE = 4

export function candidatesFor(
  parameter: Parameter,
  mentions: readonly Mention[],
  { text, now }: Sentence,
): readonly Candidate[] {
  const { schema, required, name } = parameter
  const own = schema.enum ? choicesIn(text, schema.enum) : schema.type === 'boolean' ? flagsIn(text, name) : mentions // prettier-ignore
  const dates = mentions.filter(({ kind }) => kind === 'date')
  return own.flatMap((mention) => {
    const [value, weight] = read(parameter, mention, now) ?? []
    if (value === undefined || weight === undefined) return []
    // The ten of "in ten minutes" is rather a part of the date.
    const partOfDate = mention.kind === 'number' && dates.some((date) => overlap(date, mention))
    const score = weight + steering(parameter, mention, text) - (partOfDate ? 1.5 : 0)
    return score >= (required ? 0 : LEAST_FOR_OPTIONAL)
      ? [{ parameter, mention, value, score }]
      : []
  })
}

const WEIGHTS: { readonly [kind in Mention['kind']]?: number } = { quoted: 3, name: 2, code: 2, address: 1.5, phrase: 1, rest: 0.4, number: 1 } // prettier-ignore
const TEXT_WORDS = wordsOf('message text body content note comment task reminder')
const ID_WORDS = wordsOf('id number code reference key zip phone room year version account')
const DATE_WORDS = wordsOf('date day time when deadline due')

function read(parameter: Parameter, mention: Mention, now: Now): Reading {
  const { schema, name, about } = parameter
  const { kind, text, date, value } = mention
  if (value !== undefined) return [value, SURE]
  if (schema.type === 'number' || schema.type === 'integer') return readNumber(parameter, mention)
  if (schema.type === 'object' || schema.type === 'array' || 'const' in schema) return undefined
  const format =
    schema.format ?? (/YYYY-MM-DD(?!T)/.test(schema.description ?? '') ? 'date' : undefined)
  const temporal = /^(?:date|time|date-time)$/.test(format ?? '')
  if (date && (temporal || DATE_WORDS.some((word) => name.has(word) || about.has(word))))
    return [formatDate(date, now, format), SURE]
  if (temporal || date || !fits(schema, text)) return undefined
  if (kind === 'number' && !ID_WORDS.some((word) => name.has(word))) return undefined
  const whole = kind === 'rest' && TEXT_WORDS.some((word) => name.has(word))
  return [text, schema.pattern || schema.format ? SURE : whole ? 2 : WEIGHTS[kind]!]
}

const FORMATS: { readonly [format: string]: RegExp } = {
  email: /^\S+@\S+$/,
  uri: /^\w+:\/\/\S+$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  ipv4: /^\d+(?:\.\d+){3}$/,
}

const fits = (
  { format = '', pattern = '', minLength = 0, maxLength = Infinity }: JsonSchema,
  text: string,
) =>
  text.length >= minLength &&
  text.length <= maxLength &&
  (FORMATS[format]?.test(text) ?? true) &&
  matches(pattern, text)

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

function readNumber({ schema }: Parameter, { kind, text }: Mention): Reading {
  const number = kind === 'number' ? numberIn(text) : NaN
  const { type, minimum = -Infinity, maximum = Infinity } = schema
  const right = number >= minimum && number <= maximum && (type === 'number' || number % 1 === 0)
  return right ? [number, 2] : undefined
}

/** The allowed values that a sentence names. */
function choicesIn(text: string, choices: readonly Json[]): readonly Mention[] {
  return choices.flatMap((value) => {
    const words =
      String(value)
        .match(/\p{L}+|\p{N}+/gu)
        ?.join('[\\s_-]?') ?? '(?!)'
    const pattern = `(?<![\\p{L}\\p{N}])${words}(?:e?s|e?d)?(?![\\p{L}\\p{N}])`
    const found = new RegExp(pattern, String(value).length > 2 ? 'iu' : 'u').exec(text)
    return found ? [choice(found, value)] : []
  })
}

const choice = (
  { 0: text, index: start }: { readonly 0: string; readonly index: number },
  value: Json,
): Mention => ({ kind: 'choice', text, start, end: start + text.length, value })

const NEGATION =
  /(?:\b(?:no|not|without|never|skip|except|exclude|disable|off)|n['’]t)(?:\s+\S+){0,2}\s*$/i

/** The words of a yes-or-no parameter, with or without a negation before them. */
const flagsIn = (text: string, name: ReadonlySet<string>): readonly Mention[] =>
  [...text.matchAll(/\p{L}+/gu)]
    .filter(([word]) => wordsOf(word).some((each) => name.has(each) && !FUNCTION_WORDS.has(each)))
    .map((found) => choice(found, !NEGATION.test(text.slice(0, found.index))))

/** What a value says by its looks. */
const LOOKS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/@/, wordsOf('email mail recipient contact')],
  [/:\/\//, wordsOf('url link website page')],
  [/\d.*\p{L}|\p{L}.*\d/u, wordsOf('id code number reference key')],
]

/** How much the words around a mention, and its looks, speak for a parameter. */
function steering(
  { name, about }: Parameter,
  { kind, text, start, end }: Mention,
  sentence: string,
): number {
  const before = wordsOf(
    sentence
      .slice(0, start)
      .split(/[.;?!]\s/)
      .at(-1)!,
  )
    .slice(-4)
    .reverse()
  const after = wordsOf(sentence.slice(end).split(/[.,;?!]/)[0]!).slice(0, 2)
  const looks = LOOKS.find(([pattern]) => pattern.test(text))?.[1] ?? []
  const strongest = (words: readonly string[], decay: number): number =>
    Math.max(0, ...words.map((word, distance) => pull(word, name, about) - distance * decay))
  const unit = strongest(after, 1) * (kind === 'number' ? 1 : 0.4)
  return Math.max(strongest(before, 0.5), unit, strongest(looks, 0))
}
