/**
 * A tool as the keyword index stores it: for each term, its count in each field, packed into one number.
 * Counts and lengths are capped, so that repeating a word gains nothing.
 */
import { remembered } from '../../schema/remembered.ts'
import { referenceText, type ReferenceText } from '../reference-text.ts'
import type { ToolReference } from '../tool-index.ts'
import { stem } from './stem.ts'
import { STOP_WORDS } from './word-lists.ts'
import { wordsOf } from './words-of.ts'

interface Field {
  readonly text: keyof ReferenceText
  readonly weight: number
  /** Words beyond this number are not indexed, but they count towards the length. */
  readonly mostWords: number
  /**
   * The most that one text adds to the average length, so that a very long text does not make others look
   * short.
   */
  readonly usualWords: number
}

export const FIELDS: readonly Field[] = [
  { text: 'name', weight: 2.5, mostWords: 24, usualWords: 8 },
  { text: 'description', weight: 1, mostWords: 400, usualWords: 100 },
  { text: 'parameterNames', weight: 0.5, mostWords: 200, usualWords: 40 },
  { text: 'parameterDescriptions', weight: 0.25, mostWords: 600, usualWords: 150 },
  { text: 'parameterValues', weight: 0.4, mostWords: 200, usualWords: 60 },
  { text: 'examples', weight: 0.5, mostWords: 200, usualWords: 60 },
]

const BITS = 3
const MOST_COUNTED = (1 << BITS) - 1

/** How often the term occurs in field number `field`. */
export const countIn = (packed: number, field: number): number =>
  (packed >>> (BITS * field)) & MOST_COUNTED

export interface Document {
  /** Term to packed counts. */
  readonly terms: ReadonlyMap<string, number>
  /** The number of words in each field, without stop words. */
  readonly lengths: readonly number[]
}

const documents = new WeakMap<ToolReference, Document>()

export const documentOf = (reference: ToolReference): Document =>
  remembered(documents, reference, () => {
    const text = referenceText(reference)
    const terms = new Map<string, number>()
    const lengths = FIELDS.map((field, index) => addField(terms, wordsOf(text[field.text]), index))
    return { terms, lengths }
  })

function addField(terms: Map<string, number>, words: readonly string[], index: number): number {
  let length = 0
  for (const word of words) {
    // Stop words are indexed, for queries that contain nothing else, but they do not count as length.
    if (!STOP_WORDS.has(word)) length++
    if (length > FIELDS[index]!.mostWords) continue
    const term = stem(word)
    const packed = terms.get(term) ?? 0
    if (countIn(packed, index) < MOST_COUNTED) terms.set(term, packed + (1 << (BITS * index)))
  }
  return length
}
