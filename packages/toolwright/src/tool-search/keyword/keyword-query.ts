/** Turns a query into weighted terms: each word once, common words with less weight, synonyms with little. */
import { stem } from './stem.ts'
import { STOP_WORDS, synonymsOf, WEAK_WORDS } from './word-lists.ts'
import { wordsOf } from './words-of.ts'

const WEAK = 0.5
const NUMBER = 0.3
const SYNONYM = 0.2
const NEAR = 0.5
/** Longer queries are cut. */
const LONGEST_QUERY = 8_000
const MOST_TERMS = 128

export interface Vocabulary {
  has(term: string): boolean
  near(term: string): readonly (readonly [word: string, likeness: number])[]
}

/** Maps each term to its weight. */
export function termsOf(query: string, vocabulary: Vocabulary): ReadonlyMap<string, number> {
  const queryTerms = askedTerms(wordsOf(query.slice(0, LONGEST_QUERY)))
  const implied = new Map<string, number>()
  const imply = (term: string, weight: number): void => {
    if (!queryTerms.has(term) && weight > (implied.get(term) ?? 0)) implied.set(term, weight)
  }
  for (const [term, weight] of queryTerms) {
    for (const synonym of synonymsOf(term)) imply(synonym, weight * SYNONYM)
    if (vocabulary.has(term)) continue
    for (const [word, likeness] of vocabulary.near(term)) imply(word, weight * likeness * NEAR)
  }
  for (const [term, weight] of queryTerms) implied.set(term, weight)
  return implied
}

function askedTerms(words: readonly string[]): ReadonlyMap<string, number> {
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  const terms = new Map<string, number>()
  for (const word of telling.length > 0 ? telling : words) {
    if (terms.size >= MOST_TERMS) break
    const weight = WEAK_WORDS.has(word) ? WEAK : /^\d+$/.test(word) ? NUMBER : 1
    const term = stem(word)
    terms.set(term, Math.max(weight, terms.get(term) ?? 0))
  }
  return terms
}
