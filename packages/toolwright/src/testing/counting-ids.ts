/** Ids that can be written into a test: `run_1`, `run_2`, `state_1`, counted for each prefix. */
import type { Ids } from '../ports/ids.ts'

export function countingIds(): Ids {
  const counts = new Map<string, number>()
  return {
    next(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, count)
      return `${prefix}_${count}`
    },
  }
}
