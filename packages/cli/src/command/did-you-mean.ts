/** Suggestions for a misspelt word, by the fewest letters to change. */

/** ` Did you mean --lint?`, or nothing when none is near. */
export function didYouMean(wrong: string, words: readonly string[], prefix = ''): string {
  const best = words
    .map((word) => ({ word, changes: changesBetween(wrong.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, changes }) => changes <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.changes - b.changes)[0]
  return best ? ` Did you mean ${prefix}${best.word}?` : ''
}

/** Levenshtein's distance, one row at a time. */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_none, index) => index)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === other ? 0 : 1)))
    row = next
  }
  return row[to.length]!
}
