/** A size for people: `812 B`, `1.4 kB`, `3.0 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`
  return count < 999_950 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`
}
