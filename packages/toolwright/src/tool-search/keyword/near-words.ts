/**
 * Finds the words of the catalogue that are closest to an unknown word, by the letters they share: it may
 * be a typing error or a related form. The table is updated word by word, so a search builds nothing.
 */
const MOST = 6
const LEAST_LIKENESS = 0.5
const SHORTEST = 4
const MOST_REMEMBERED = 5_000

type NearWord = readonly [word: string, likeness: number]

export class NearWords {
  /**
   * The words by their first two letters, which typing errors seldom affect; each with its letter triples
   * once they are needed.
   */
  readonly #byStart = new Map<string, Map<string, ReadonlySet<string> | undefined>>()
  /** Results since the words last changed. */
  readonly #results = new Map<string, readonly NearWord[]>()

  add(word: string): void {
    if (word.length < SHORTEST) return
    this.#results.clear()
    const start = word.slice(0, 2)
    const words = this.#byStart.get(start)
    if (words) words.set(word, undefined)
    else this.#byStart.set(start, new Map([[word, undefined]]))
  }

  remove(word: string): void {
    this.#results.clear()
    this.#byStart.get(word.slice(0, 2))?.delete(word)
  }

  /** Returns words with their similarity, from 0.5 to 1. */
  near(word: string): readonly NearWord[] {
    if (word.length < SHORTEST || /^\d/.test(word)) return NONE
    const cached = this.#results.get(word)
    if (cached) return cached
    if (this.#results.size >= MOST_REMEMBERED) this.#results.clear()
    const found = this.#find(word)
    this.#results.set(word, found)
    return found
  }

  #find(word: string): readonly NearWord[] {
    const candidates = this.#byStart.get(word.slice(0, 2))
    if (!candidates) return NONE
    const target = triplesOf(word)
    const found: NearWord[] = []
    for (const [candidate, held] of candidates) {
      // Words with such different lengths cannot share enough triples.
      if (candidate.length > 3 * word.length || word.length > 3 * candidate.length) continue
      const triples = held ?? triplesOf(candidate)
      if (!held) candidates.set(candidate, triples)
      const likeness = likenessOf(target, triples)
      if (likeness >= LEAST_LIKENESS) found.push([candidate, likeness])
    }
    return found.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST)
  }
}

const NONE: readonly NearWord[] = []

/** All groups of three adjacent letters, including the edges of the word. */
function triplesOf(word: string): ReadonlySet<string> {
  const edged = `_${word}_`
  const triples = new Set<string>()
  for (let index = 0; index + 3 <= edged.length; index++) triples.add(edged.slice(index, index + 3))
  return triples
}

function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const triple of a) if (b.has(triple)) shared++
  return (2 * shared) / (a.size + b.size)
}
