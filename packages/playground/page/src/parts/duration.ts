/** How long something took, for people: `12 ms`, `1.2 s`, `2 min 3 s`. */
export function duration(ms: number): string {
  if (ms < 1) return '< 1 ms'
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
