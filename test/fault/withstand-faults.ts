/** The tests of the fault matrix for some dialects: every scenario, called and streamed. No fault is tolerated. */
import type { FaultDialect } from '@toolwright/fault-server'
import { expect, it } from 'vitest'
import { columnOf, matrixCells } from './matrix.ts'
import { runScenario } from './run-scenario.ts'
import { toolwrightLoop } from './toolwright-loop.ts'
import { verdictOn } from './verdict.ts'

export function withstandFaults(dialects: readonly FaultDialect[]): void {
  for (const cell of matrixCells(15_000, dialects)) {
    const scenario = cell.scenario.name
    const column = columnOf(cell)
    it(`withstands ${scenario}, ${column}`, async ({ task }) => {
      const { mark, hard, soft } = verdictOn(cell, await runScenario(cell, toolwrightLoop))
      const faults = [...hard, ...soft]
      const why = faults.join(' | ')
      task.meta.fault = { contender: 'toolwright', scenario, column, mark, why }
      expect(faults).toEqual([])
    })
  }
}
