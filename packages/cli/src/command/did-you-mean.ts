/** Suggests the nearest word for a misspelt one. */

/** ` Did you mean --lint?`, or the empty string if no word is near. */
export function didYouMean(wrong: string, words: readonly string[], prefix = ''): string {
  const best = words
    .map((word) => ({ word, changes: changesBetween(wrong.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, changes }) => changes <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.changes - b.changes)[0]
  return best ? ` Did you mean ${prefix}${best.word}?` : ''
}

/** The Levenshtein distance, row by row; swapping two neighbours counts as one change. */
function changesBetween(from: string, to: string): number {
  let [before, row]: number[][] = [[], Array.from({ length: to.length + 1 }, (_none, at) => at)]
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const replaced = row![j]! + (from[i] === to[j] ? 0 : 1)
      const isSwapped = i > 0 && j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j]
      const swapped = isSwapped ? before![j - 1]! + 1 : Infinity
      next.push(Math.min(row![j + 1]! + 1, next[j]! + 1, replaced, swapped))
    }
    ;[before, row] = [row, next]
  }
  return row![to.length]!
}
