/** Suggestions for a misspelt name: the closest few, best first, none that are far off. */
export function nearestNames(wrong: string, names: Iterable<string>, most = 3): readonly string[] {
  const target = fold(wrong)
  const allowed = Math.max(2, Math.floor(target.length / 2.5))
  const near: { name: string; distance: number }[] = []
  for (const name of names) {
    const candidate = fold(name)
    const telling = Math.min(target.length, candidate.length) > 2
    const inside = telling && (candidate.includes(target) || target.includes(candidate))
    const distance = inside ? 1 : editDistance(target, candidate, allowed)
    if (distance <= allowed) near.push({ name, distance })
  }
  near.sort((a, b) => a.distance - b.distance)
  return near.slice(0, most).map((entry) => entry.name)
}

/** ` Did you mean "a" or "b"?`, or nothing. */
export function didYouMean(wrong: string, names: Iterable<string>): string {
  const near = nearestNames(wrong, names)
  return near.length === 0 ? '' : ` Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`
}

const fold = (name: string): string =>
  name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, swap)
    }
    row = next
  }
  return row[b.length]!
}
