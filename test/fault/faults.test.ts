/** The fault matrix: every scenario in every dialect, called and streamed. No fault is tolerated. */
import { describe, expect, it } from 'vitest'
import { FAULT_SCENARIOS } from '@toolwright/fault-server'
import { columnOf, matrixCells } from './matrix.ts'
import { runScenario } from './run-scenario.ts'
import { toolwrightLoop } from './toolwright-loop.ts'
import { verdictOn } from './verdict.ts'

describe('the fault matrix', () => {
  it('has 66 scenarios of different names', () => {
    expect(new Set(FAULT_SCENARIOS.map((scenario) => scenario.name)).size).toBe(66)
  })

  for (const cell of matrixCells(15_000)) {
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
})
