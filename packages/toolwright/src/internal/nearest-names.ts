/** Suggestions for a misspelt name: the closest few, best first, none that are far off. */
export function nearestNames(wrong: string, names: Iterable<string>, most = 3): readonly string[] {
  return Array.from(names, (name) => ({ name, likeness: likeness(wrong, name) }))
    .filter((candidate) => candidate.likeness >= 0.5)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, most)
    .map((candidate) => candidate.name)
}

/** ` Did you mean "a" or "b"?`, or nothing. */
export function didYouMean(wrong: string, names: Iterable<string>): string {
  const near = nearestNames(wrong, names)
  return near.length === 0 ? '' : ` Did you mean "${near.join('" or "')}"?`
}

/** The neighbouring letters of a name, whatever its case and separators: most survive a slip. */
function pairsOf(name: string): ReadonlySet<string> {
  const folded = name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
  return new Set(Array.from(folded, (_letter, index) => folded.slice(index, index + 2)))
}

/** How alike two names are: from 0, no pair of letters in common, to 1, all. */
export function likeness(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)]
  return (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size)
}
