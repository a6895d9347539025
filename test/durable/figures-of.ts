/** The figures of runs that have ended, for the table at the end. */
import { expect } from 'vitest'
import type { EffectLedger } from './effect-ledger.ts'
import { examine, type Examination } from './examine.ts'
import type { DurableFigures } from './figures-reporter.ts'
import type { EndedRun } from './run-desk.ts'

/** Fails when the ledger tells anything else than the runs. */
export async function figuresOf(
  ledger: EffectLedger,
  runs: readonly EndedRun[],
  examination?: Examination,
): Promise<DurableFigures> {
  expect(await examine(ledger, runs, examination)).toEqual([])
  const { sent, paid } = await ledger.totals()
  const decided = runs.flatMap((run) => run.decided)
  return {
    runs: runs.length,
    'effects once': sent,
    'effects keyed': paid,
    unknown: decided.length,
    retried: decided.filter(({ decision }) => decision === 'retry').length,
  }
}
