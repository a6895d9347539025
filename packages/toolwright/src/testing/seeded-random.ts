/** Chance that repeats itself: the same seed gives the same numbers and bytes. Not fit for keys. */
import type { Random } from '../ports/random.ts'

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32: 32 bits of state, good enough to spread retries and shuffle cases.
  const nextWord = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word = (word + Math.imul(word ^ (word >>> 7), word | 61)) ^ word
    return (word ^ (word >>> 14)) >>> 0
  }
  return {
    next: () => nextWord() / 2 ** 32,
    bytes: (length) => Uint8Array.from({ length }, () => nextWord() >>> 24),
  }
}
