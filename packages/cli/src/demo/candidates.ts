/** Which mentions of a sentence could be the value of one parameter, and how much speaks for each. */
import type { Json, JsonSchema } from 'toolwright'
import { formatDate } from './dates.ts'
import type { Sentence } from './fill-arguments.ts'
import { numberIn, type Mention } from './mentions.ts'
import type { Parameter } from './parameters.ts'
import { pull, wordsOf } from './words.ts'

export interface Candidate {
  readonly parameter: Parameter
  readonly mention: Mention
  readonly value: Json
  readonly score: number
}

/** A value read from a mention, and how likely it is that such a parameter means it. */
type Reading = readonly [value: Json, weight: number]

/** Optional parameters want at least this. */
const LEAST_FOR_OPTIONAL = 3.4

export function candidatesFor(
  parameter: Parameter,
  mentions: readonly Mention[],
  sentence: Sentence,
): readonly Candidate[] {
  const { schema, required, many } = parameter
  const own = schema.enum
    ? choicesIn(sentence.text, schema.enum)
    : schema.type === 'boolean'
      ? flagsIn(sentence.text, parameter)
      : mentions
  const found = own.flatMap((mention): Candidate[] => {
    const reading = read(parameter, mention, sentence)
    if (!reading) return []
    const [value, weight] = reading
    const score = weight + steering(parameter, mention, sentence.text)
    return required || score >= LEAST_FOR_OPTIONAL ? [{ parameter, mention, value, score }] : []
  })
  return many ? listsOf(found, sentence.text) : found
}

const KIND_WEIGHTS: { readonly [kind in Mention['kind']]?: number } = {
  quoted: 3, name: 2, code: 2, address: 1.5, phrase: 1, rest: 0.4, number: 0.4, date: 0.2, choice: 4,
} // prettier-ignore

function read(parameter: Parameter, mention: Mention, { now }: Sentence): Reading | undefined {
  const { schema, name, about } = parameter
  const { kind, text, date, value } = mention
  if (value !== undefined) return [value, 4]
  if (schema.type === 'number' || schema.type === 'integer') return readNumber(parameter, mention)
  if (schema.type === 'object' || schema.type === 'array') return
  const format = schema.format ?? (saysDay(schema.description) ? 'date' : undefined)
  const temporal = /^(?:date|time|date-time)$/.test(format ?? '')
  if (date && (temporal || DATE_WORDS.some((word) => name.has(word) || about.has(word))))
    return [formatDate(date, format, now.timezone), 4]
  if (temporal || !fits(schema, text)) return
  const exact = schema.pattern !== undefined || schema.format !== undefined
  const opening = kind === 'name' && mention.start === 0
  return [text, exact ? 4 : opening ? 0.3 : (KIND_WEIGHTS[kind] ?? 0)]
}

const DATE_WORDS = wordsOf('date day time when deadline due')
const saysDay = (description = ''): boolean => /YYYY-MM-DD(?!T)/i.test(description)

const FORMATS: { readonly [format: string]: RegExp } = {
  email: /^\S+@\S+$/,
  uri: /^\w+:\/\/\S+$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  ipv4: /^\d+(?:\.\d+){3}$/,
}

function fits(schema: JsonSchema, text: string): boolean {
  const { format = '', pattern, minLength = 0, maxLength = Infinity } = schema
  if (text.length < minLength || text.length > maxLength) return false
  return (FORMATS[format]?.test(text) ?? true) && (!pattern || new RegExp(pattern, 'u').test(text))
}

function readNumber({ schema }: Parameter, mention: Mention): Reading | undefined {
  if (mention.kind !== 'number') return
  const number = numberIn(mention.text)
  const { minimum = -Infinity, maximum = Infinity } = schema
  if (number === undefined || number < minimum || number > maximum) return
  if (schema.type === 'integer' && !Number.isInteger(number)) return
  return [number, 2]
}

/** The allowed values that a sentence names. */
function choicesIn(sentence: string, choices: readonly Json[]): readonly Mention[] {
  return choices.flatMap((value) => {
    const words = String(value).match(/\p{L}+|\p{N}+/gu) ?? []
    if (words.length === 0) return []
    const flags = String(value).length > 2 ? 'iu' : 'u'
    const found = new RegExp(
      `(?<![\\p{L}\\p{N}])${words.join('[\\s_-]?')}(?:e?s|e?d)?(?![\\p{L}\\p{N}])`,
      flags,
    ).exec(sentence)
    if (!found) return []
    const { 0: text, index: start } = found
    return [{ kind: 'choice', text, start, end: start + text.length, value }]
  })
}

const NEGATION =
  /\b(?:no|not|without|never|skip|except|exclude|disable|off|\w+n't)(?:\s+\S+){0,2}\s*$/i

/** The words of a boolean parameter in a sentence, with or without a negation before them. */
function flagsIn(sentence: string, { name }: Parameter): readonly Mention[] {
  for (const { 0: text, index: start } of sentence.matchAll(/\p{L}+/gu)) {
    const word = wordsOf(text)[0]!
    if (!name.has(word) || pull(word, new Set(), name) === 0) continue
    const value = !NEGATION.test(sentence.slice(0, start))
    return [{ kind: 'choice', text, start, end: start + text.length, value }]
  }
  return []
}

const HINTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/@/, wordsOf('email mail recipient contact')],
  [/:\/\//, wordsOf('url link website page')],
]

/** How much the words around a mention speak for a parameter. */
function steering({ name, about }: Parameter, mention: Mention, text: string): number {
  const before = wordsOf(
    text
      .slice(0, mention.start)
      .split(/[.;?!]\s/)
      .at(-1)!,
  )
  const after = wordsOf(text.slice(mention.end).split(/[.,;?!]/)[0]!)
  const hints = HINTS.find(([pattern]) => pattern.test(mention.text))?.[1] ?? []
  const strongest = (words: readonly string[], decay: number): number =>
    Math.max(0, ...words.map((word, distance) => pull(word, name, about) - distance * decay))
  const following = strongest(after.slice(0, 2), 1) * (mention.kind === 'number' ? 1 : 0.4)
  return Math.max(strongest(before.slice(-4).reverse(), 0.5), following, strongest(hints, 0))
}

const LIST =
  /^["”']?\s*(?:,|&|,?\s*\b(?:and|or|plus)\b)(?:\s+(?:also|then))?(?:\s+(?:in|at|on|for|to|from|of|with|by))?(?:\s+(?:the|a|an))?\s*["“']?$/i

/** Whether the one follows the other in a list: "Berlin, Rome and Paris", "in Berlin and in Paris". */
export const listed = (text: string, a: Mention, b: Mention): boolean =>
  LIST.test(text.slice(a.end, b.start)) && a.kind === b.kind

function listsOf(found: readonly Candidate[], text: string): readonly Candidate[] {
  const lists: Candidate[] = []
  for (const next of found.toSorted((a, b) => a.mention.start - b.mention.start)) {
    const last = lists.findLast(({ mention }) => listed(text, mention, next.mention))
    if (!last) lists.push({ ...next, value: [next.value] })
    else
      lists[lists.indexOf(last)] = {
        ...last,
        mention: { ...last.mention, end: next.mention.end },
        value: [...(last.value as Json[]), next.value],
      }
  }
  return lists
}
