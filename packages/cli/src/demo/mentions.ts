/** What a sentence mentions: everything in it that could be the value of a parameter, and where. */
import type { ParsedComponents } from 'chrono-node'
import type { Json } from 'toolwright'
import { datesIn, type Now } from './dates.ts'
import { NUMBER } from './numbers.ts'
import { FUNCTION_WORDS, wordsOf } from './words.ts'

export interface Mention {
  readonly kind: keyof typeof PATTERNS | 'date' | 'phrase' | 'choice'
  readonly text: string
  readonly start: number
  readonly end: number
  readonly date?: ParsedComponents
  /** It counts from now. */
  readonly relative?: boolean
  /** Of a choice: what it stands for. */
  readonly value?: Json
}

export const overlap = (a: Mention, b: Mention): boolean => a.start < b.end && b.start < a.end

const NAME = String.raw`\p{Lu}[\p{L}\p{N}'’&]*(?:[-.]\p{L}+)*`

const PATTERNS = {
  quoted: /(?<=["“])[^"”]+(?=["”])|(?<=(?<![\p{L}\p{N}])['‘])[^'’]+(?=['’](?!\p{L}))/gu,
  address: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b\w+:\/\/[^\s"'<>]*[\w/]|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b\d+(?:\.\d+){3}\b/giu,
  code: /(?<![\w.-])(?!\d{4}-\d\d-\d\d)(?=[\w-]*\d)(?=[\w-]*[a-z])[a-z\d]+(?:[-_][a-z\d]+)*(?![\w-])/giu,
  // Not the first word: a sentence begins with a capital.
  name: new RegExp(`(?<=[\\s("“])${NAME}(?:\\s+(?:(?:of|de|la|the|van|von)\\s+)?${NAME})*(?:,\\s\\p{Lu}{2}\\b)?`, 'gu'),
  number: NUMBER,
  rest: /(?<=(?:\b(?:saying|says|that|(?:remind|tell|ask)\s+\S+\s+(?:to|about))|:)\s+)\S.*?(?=[.?!]*$)/giu,
} // prettier-ignore

const found = (kind: Mention['kind'], text: string, pattern: RegExp): readonly Mention[] =>
  [...text.matchAll(pattern)].map(({ 0: said, index: start }) => {
    return { kind, text: said.trimEnd(), start, end: start + said.trimEnd().length }
  })

/** All mentions of a sentence. They may overlap: a part of a quotation may be a name. */
export function mentionsIn(text: string, now: Now, known: ReadonlySet<string>): readonly Mention[] {
  const of = (kind: keyof typeof PATTERNS) => found(kind, text, PATTERNS[kind])
  const identifiers = [...of('address'), ...of('code').filter((code) => code.text.length > 4)]
  const dates = datesIn(hidden(text, identifiers), now).map((date) => ({
    kind: 'date' as const,
    ...date,
  }))
  const undated = (mention: Mention): boolean => !dates.some((date) => overlap(date, mention))
  const isValue = (word: string): boolean =>
    !isFunctionWord(word) && wordsOf(word).some((each) => !known.has(each))
  const names = of('name').filter((name) => undated(name) && isValue(name.text))
  const codes = of('code').filter(undated)
  const solid = [...of('quoted'), ...of('address'), ...codes, ...of('number'), ...dates]
  const within = (phrase: Mention): boolean =>
    dates.some((date) => date.start <= phrase.start && phrase.end <= date.end)
  const phrases = [of('quoted'), solid]
    .flatMap((taken) => phrasesIn(hidden(text, taken), isValue))
    .filter((phrase) => !within(phrase))
  return [...solid, ...names, ...of('rest'), ...phrases]
}

const isFunctionWord = (text: string): boolean =>
  wordsOf(text).every((word) => FUNCTION_WORDS.has(word))

const hidden = (text: string, mentions: readonly Mention[]): string =>
  mentions.reduce(
    (left, { start, end }) => left.slice(0, start) + '§'.repeat(end - start) + left.slice(end),
    text,
  )

/** Runs of words that can be a value. The first word that could is the verb, unless it stands alone. */
function phrasesIn(text: string, isValue: (word: string) => boolean): readonly Mention[] {
  let verb = true
  const left = text.replace(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu, (word, at: number) => {
    const kept = isValue(word) && !(verb && /\s\S/.test(text.slice(at)))
    if (!isFunctionWord(word)) verb = false
    return kept ? word : '§'.repeat(word.length)
  })
  return found('phrase', left, /(?:[\p{L}\p{N}][\p{L}\p{N}'’-]*\s*)+/gu)
}
