/** How good a ranking is: recall, mean reciprocal rank, discounted gain. In percent, as means over questions. */
import type { Query } from './dataset.ts'

export interface Quality {
  readonly recall: { readonly [k: number]: number }
  readonly mrr: number
  readonly ndcg5: number
}

export const CUTS = [1, 3, 5, 10] as const

export function qualityOf(
  queries: readonly Query[],
  rankings: readonly (readonly string[])[],
): Quality {
  const mean = (
    of: (ranking: readonly string[], relevant: ReadonlySet<string>) => number,
  ): number => {
    let sum = 0
    queries.forEach(({ relevant }, index) => (sum += of(rankings[index]!, new Set(relevant))))
    return (100 * sum) / queries.length
  }
  return {
    recall: Object.fromEntries(
      CUTS.map((k) => [k, mean((got, rel) => hits(got, rel, k) / rel.size)]),
    ),
    mrr: mean((got, rel) => {
      const first = got.findIndex((name) => rel.has(name))
      return first < 0 ? 0 : 1 / (first + 1)
    }),
    ndcg5: mean((got, rel) => gain(got.slice(0, 5), rel) / gain([...rel].slice(0, 5), rel)),
  }
}

const hits = (got: readonly string[], relevant: ReadonlySet<string>, k: number): number =>
  got.slice(0, k).filter((name) => relevant.has(name)).length

const gain = (got: readonly string[], relevant: ReadonlySet<string>): number =>
  got.reduce((sum, name, rank) => sum + (relevant.has(name) ? 1 / Math.log2(rank + 2) : 0), 0)

/** The value below which this part of them lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
