/** What a sentence mentions: everything in it that could be the value of a parameter, and where. */
import type { ParsedComponents } from 'chrono-node'
import type { Json } from 'toolwright'
import { datesIn, type Now } from './dates.ts'
import { FUNCTION_WORDS, wordsOf } from './words.ts'

export interface Mention {
  readonly kind:
    'quoted' | 'address' | 'code' | 'name' | 'number' | 'date' | 'phrase' | 'rest' | 'choice'
  readonly text: string
  readonly start: number
  readonly end: number
  readonly date?: ParsedComponents
  readonly relative?: boolean
  /** Of a choice: the value it stands for. */
  readonly value?: Json
}

export const overlap = (a: Mention, b: Mention): boolean => a.start < b.end && b.start < a.end

const NAME = String.raw`\p{Lu}[\p{L}\p{N}'’&]*(?:[-.]\p{L}+)*`
const NUMBER_WORD =
  'zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|half|couple|dozen|hundred|thousand|million'

const PATTERNS: readonly (readonly [Mention['kind'], RegExp])[] = [
  ['quoted', /(?<=["“])[^"”]+(?=["”])|(?<=(?<![\p{L}\p{N}])['‘])[^'’]+(?=['’](?!\p{L}))/gu],
  [
    'address',
    /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b\w+:\/\/[^\s"'<>]*[\w/]|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b\d+(?:\.\d+){3}\b/giu,
  ],
  ['code', /(?<![\w.-])(?=[\w-]*\d)(?=[\w-]*[a-z])[a-z\d]+(?:[-_][a-z\d]+)*(?![\w-])/giu],
  ['name', new RegExp(`(?<![\\p{L}\\p{N}])${NAME}(?:\\s+(?:(?:of|de|la|the|van|von)\\s+)?${NAME})*`, 'gu')],
  [
    'number',
    new RegExp(
      `(?<![\\w.-])-?\\d+(?:,\\d{3})*(?:\\.\\d+)?(?:\\s?(?:k|m|thousand|million)\\b)?|\\b(?:${NUMBER_WORD})\\b(?:[\\s-](?:${NUMBER_WORD})\\b)*`,
      'giu',
    ),
  ],
] // prettier-ignore

/** All mentions of a sentence. They may overlap: a part of a quotation may be a name. */
export function mentionsIn(
  sentence: string,
  now: Now,
  known: ReadonlySet<string>,
): readonly Mention[] {
  const found = PATTERNS.flatMap(([kind, pattern]) =>
    [...sentence.matchAll(pattern)].flatMap(({ 0: text, index }): Mention[] => {
      const mention = { kind, text, start: index, end: index + text.length }
      return kind === 'name' ? nameIn(mention, known) : [mention]
    }),
  )
  const masked = found
    .filter(
      ({ kind, text }) =>
        kind === 'address' || (kind === 'code' && /^(?!\d{4}-\d\d-\d\d).{5}/.test(text)),
    )
    .reduce((text, { start, end }) => mask(text, start, end), sentence)
  const dates = datesIn(masked, now).map((date): Mention => ({ kind: 'date', ...date }))
  const quoted = found.filter(({ kind }) => kind === 'quoted')
  const solid = [...found.filter(({ kind }) => kind !== 'name'), ...dates]
  const phrases = [quoted, solid].flatMap((taken) => phrasesIn(sentence, taken, known))
  return [...found, ...dates, ...phrases, ...restOf(sentence)]
}

/** No date is looked for here. */
const mask = (text: string, start: number, end: number): string =>
  text.slice(0, start) + '§'.repeat(end - start) + text.slice(end)

/** A sentence begins with a capital: its first word is no part of a name that follows. */
function nameIn(mention: Mention, known: ReadonlySet<string>): Mention[] {
  const words = mention.text.split(/(?<=\s)/)
  const strange = words.findIndex(
    (word, at) =>
      !(at === 0 && mention.start === 0 && words.length > 1) &&
      wordsOf(word).some((each) => !FUNCTION_WORDS.has(each) && !known.has(each)),
  )
  if (strange < 0) return []
  const text = words.slice(strange).join('')
  return [{ ...mention, text, start: mention.end - text.length }]
}

/** Runs of words that are neither function words, nor words of the tool, nor a value of another kind. */
function phrasesIn(sentence: string, solid: readonly Mention[], known: ReadonlySet<string>) {
  const runs: Mention[] = []
  let open = false
  let first = true
  for (const { 0: text, index: start } of sentence.matchAll(
    /[\p{L}\p{N}][\p{L}\p{N}'’-]*|[,;:.?!]/gu,
  )) {
    const end = start + text.length
    const [word] = wordsOf(text)
    const telling = word !== undefined && !FUNCTION_WORDS.has(word)
    const taken = solid.some((mention) => start < mention.end && end > mention.start)
    const verb = telling && first && /\s\S/.test(sentence.slice(end))
    if (telling) first = false
    if (taken || !telling || verb || known.has(word)) open = false
    else if (!open) open = runs.push({ kind: 'phrase', text, start, end }) > 0
    else {
      const from = runs.pop()!.start
      runs.push({ kind: 'phrase', text: sentence.slice(from, end), start: from, end })
    }
  }
  return runs
}

/** All that follows "saying", "that", "to": a message, a task. */
function restOf(sentence: string): readonly Mention[] {
  const found =
    /(?<=(?:\b(?:saying|says|that|(?:remind|tell|ask)\s+\S+\s+(?:to|about))|:)\s+)\S.*?(?=[.?!]*$)/iu.exec(
      sentence,
    )
  if (!found) return []
  const { 0: text, index: start } = found
  return [{ kind: 'rest', text, start, end: start + text.length }]
}

const SCALES: { readonly [word: string]: number } = {
  dozen: 12,
  hundred: 100,
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  m: 1e6,
}

/** "2,500", "2.5k", "twenty-five", "a hundred". */
export function numberIn(text: string): number | undefined {
  const words =
    text
      .toLowerCase()
      .replaceAll(',', '')
      .match(/-?\d+(?:\.\d+)?|[a-z]+/g) ?? []
  const names = NUMBER_WORD.split('|')
  let sum = 0
  for (const word of words) {
    const at = names.indexOf(word)
    const scale = SCALES[word]
    if (scale) sum = (sum || 1) * scale
    else if (word === 'half') sum += 0.5
    else if (word === 'couple') sum += 2
    else sum += at < 0 ? Number(word) : at <= 20 ? at : (at - 18) * 10
  }
  return Number.isFinite(sum) ? sum : undefined
}
