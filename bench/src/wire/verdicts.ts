/** Holds the figures against the bars. A verdict is by the minimum: interference only ever adds. */
import type { WireCase } from './cases.ts'
import { GROWTH, LINEAR_BAR } from './cases.ts'
import { CONTENDERS } from './contenders.ts'
import type { Figures } from './measure.ts'

export interface Verdict {
  readonly what: string
  readonly ratio: number
  readonly bar: number
  readonly ok: boolean
}

/** Our contenders against their hand-written loops in one case. */
export function caseVerdicts(wireCase: WireCase, figures: Figures): Verdict[] {
  return CONTENDERS.flatMap(({ name, heldAgainst }) => {
    const pairs = [
      [heldAgainst?.fetch, wireCase.bars.fetch],
      [heldAgainst?.http, wireCase.bars.http],
    ] as const
    return pairs.flatMap(([rival, bar]) =>
      rival === undefined || bar === undefined
        ? []
        : verdict(`${name} / ${rival}`, minimumRatio(figures, name, rival), bar),
    )
  })
}

/** How the cost of our contenders grows when the input grows fourfold. */
export function growthVerdicts(results: ReadonlyMap<string, Figures>): Verdict[] {
  return GROWTH.flatMap(([small, large]) =>
    CONTENDERS.filter((contender) => contender.heldAgainst !== undefined).flatMap(({ name }) => {
      const before = results.get(small)?.get(name)
      const after = results.get(large)?.get(name)
      if (before === undefined || after === undefined) return []
      return verdict(
        `${name} ${large} / ${small}`,
        after.cpuMinimum / before.cpuMinimum,
        LINEAR_BAR,
      )
    }),
  )
}

/** NaN when one of the two did not take part. */
export function minimumRatio(figures: Figures, name: string, rival: string): number {
  return (figures.get(name)?.cpuMinimum ?? NaN) / (figures.get(rival)?.cpuMinimum ?? NaN)
}

function verdict(what: string, ratio: number, bar: number): Verdict[] {
  return Number.isNaN(ratio) ? [] : [{ what, ratio, bar, ok: ratio <= bar }]
}
