/** Reproducible chance, so that two runs put their batches in the same order. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    // One xorshift step; its period is far beyond the few hundred draws of a run.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

/** A new array in random order. */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[result[last], result[other]] = [result[other]!, result[last]!]
  }
  return result
}
