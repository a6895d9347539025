/**
 * A word the catalogue does not have may be a slip or a relative of one it has: the closest few, by the
 * letters they share. Kept up to date word by word, so that nothing is built when a search comes.
 */
const MOST = 6
const LEAST_LIKENESS = 0.5
const SHORTEST = 4

export class NearWords {
  /** By their first two letters, which slips seldom touch. */
  readonly #byStart = new Map<string, Set<string>>()

  add(word: string): void {
    if (word.length < SHORTEST) return
    const start = word.slice(0, 2)
    const words = this.#byStart.get(start)
    if (words) words.add(word)
    else this.#byStart.set(start, new Set([word]))
  }

  remove(word: string): void {
    this.#byStart.get(word.slice(0, 2))?.delete(word)
  }

  /** Pairs of word and likeness, from 0.5 to 1. */
  near(word: string): readonly (readonly [word: string, likeness: number])[] {
    if (word.length < SHORTEST || /^\d+$/.test(word)) return []
    const target = triplesOf(word)
    const found: [string, number][] = []
    for (const candidate of this.#byStart.get(word.slice(0, 2)) ?? []) {
      if (Math.abs(candidate.length - word.length) > word.length) continue
      const likeness = likenessOf(target, triplesOf(candidate))
      if (likeness >= LEAST_LIKENESS) found.push([candidate, likeness])
    }
    return found.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST)
  }
}

/** Every three neighbouring letters, with the edges of the word. */
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
