/** A sentence as the demo model sees it: comparable words, and mentions that can be values. */
import { parse } from 'chrono-node'
import type { Json } from 'toolwright'

/** Something in a sentence that could be the value of a parameter. */
export interface Mention {
  readonly kind: string
  readonly value: Json | Date
  readonly start: number
  readonly end: number
  /** How likely the mention is meant for a parameter that takes any text. */
  readonly weight: number
}

/** The stems of the words, so that `departureDate` and `Departure dates` give the same two. */
export function wordsOf(text: string): readonly string[] {
  const words = text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').match(/\p{L}+/gu) ?? []
  return words.map((word) => word.toLowerCase().replace(/(?<=...)(?:ing|ies|ed|es|s|e|y)$/, ''))
}

/** Words that are never part of a value. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  wordsOf(`a an the this that some any my our your me us you i we it them is are was be do does did have
    can could will would should may must let please thanks hey now then and or but if not no want need
    like what which who when where how much many there get give show tell make know look up out in on at
    to from of for by with about as near using behalf named called titled saying lasting long one`),
)

const NUMBER_WORDS = `zero one two three four five six seven eight nine ten eleven twelve
  thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty`.split(/\s+/)

/** The sentence with its number words as digits, at the same positions. */
const inDigits = (text: string): string =>
  text.replace(/[a-z]+(?=\s+\w)/gi, (word) => {
    const place = NUMBER_WORDS.indexOf(word.toLowerCase())
    return place < 0 ? word : String(place).padStart(word.length)
  })

/** The dates in a text. Durations do not count. */
export function datesIn(text: string, now: Date): readonly (Mention & { readonly value: Date })[] {
  const forwardDate = !/\b(?:last|past|ago|yesterday)\b/i.test(text)
  return parse(inDigits(text), now, { forwardDate })
    .filter((found) => !/^(?:for\s+)?\d+\s+(?:minute|hour|day|week|month)s?$/i.test(found.text))
    .map((found) => {
      const [start, end] = [found.index, found.index + found.text.length]
      return { kind: 'date', value: found.date(), start, end, weight: UNLIKELY }
    })
}

/** Whether a date depends on when it is said. */
export const isRelative = ({ kind, start, end }: Mention, text: string): boolean =>
  kind === 'date' && !/\d{4}/.test(text.slice(start, end))

/** Needs support from the words beside it. */
const UNLIKELY = -2

export const matching =
  (kind: string, weight: number, pattern: RegExp) =>
  (text: string): readonly Mention[] =>
    [...text.matchAll(pattern)].map(({ 0: said, index: start }) => {
      const value = kind === 'number' ? Number(said.replaceAll(',', '')) : said.trimEnd()
      return { kind, value, start, end: start + said.trimEnd().length, weight }
    })

const numbersIn = matching('number', UNLIKELY, /(?<![\w.-])-?\d+(?:,\d{3})*(?:\.\d+)?/g)
const wordsIn = matching('word', 0, /[\p{L}'’-]+/gu)
const namesIn = matching('name', 2, /(?<=\s)\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*/gu)
const phrasesIn = matching('phrase', 1, /\p{L}[\p{L}'’ -]*/gu)
const PREPOSITION = /\b(?:about|on|for|in|of|at|from|with|as|near|by|to) (?:(?:an?|the|my) )?$/i

const FINDERS: readonly ((text: string, now: Date) => readonly Mention[])[] = [
  matching('quoted', 3, /(?<=(?:^|\s)["“])[^"“”]+(?=["”])|(?<=\s['‘])[^'’]+(?=['’])/g),
  matching('email', 1.5, /\S+@[\w.-]*\w/g),
  matching('uri', 1.5, /\w+:\/\/\S*[\w/]/g),
  // Letters and digits, but not "5pm" or "2026-05-04T09:00".
  matching('code', 2, /(?<![\w-])(?!\d+[a-z]{2}\b|\d{4}-\d\d)(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]+/gi),
  datesIn,
  (text) => numbersIn(inDigits(text)),
]

/**
 * All mentions in a sentence. What one finder finds is hidden from the next; names contain no `dull` words.
 */
export function mentionsIn(text: string, now: Date, dull: ReadonlySet<string>): readonly Mention[] {
  let remaining = text
  const hide = (found: readonly Mention[]): readonly Mention[] => {
    for (const { start, end } of found)
      remaining = remaining.slice(0, start) + '§'.repeat(end - start) + remaining.slice(end)
    return found
  }
  const solid = FINDERS.flatMap((find) => hide(find(remaining, now)))
  hide(
    wordsIn(remaining).filter(({ value }) =>
      wordsOf(String(value)).every((word) => dull.has(word)),
    ),
  )
  const names = hide(namesIn(remaining))
  const phrases = phrasesIn(remaining).filter(({ start }) => PREPOSITION.test(text.slice(0, start)))
  return [...solid, ...names, ...phrases]
}
