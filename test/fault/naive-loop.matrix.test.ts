/** The control: the matrix must tell a hand-written loop from a sound one, or it proves nothing. */
import { describe, expect, it } from 'vitest'
import { columnOf, matrixCells } from './matrix.ts'
import { naiveLoop } from './naive-loop.ts'
import { runScenario } from './run-scenario.ts'
import { verdictOn } from './verdict.ts'

describe('a hand-written fetch loop', () => {
  /** Scenario to the columns in which it failed. */
  const failed = new Map<string, string[]>()

  for (const cell of matrixCells(500)) {
    const scenario = cell.scenario.name
    const column = columnOf(cell)
    it(`is judged in ${scenario}, ${column}`, async ({ task }) => {
      const { mark, hard, soft } = verdictOn(cell, await runScenario(cell, naiveLoop))
      const why = [...hard, ...soft].join(' | ')
      task.meta.fault = {
        contender: 'hand-written fetch loop (the control)',
        scenario,
        column,
        mark,
        why,
      }
      if (mark === 'FAIL') failed.set(scenario, [...(failed.get(scenario) ?? []), column])
    })
  }

  it('passes what it was written for, so that its failures mean something', () => {
    for (const scenario of ['base', 'no-end-marker', 'blank-continuation-ids', 'unknown-tool'])
      expect(failed.get(scenario) ?? [], scenario).toEqual([])
  })

  it('fails at least 30 scenarios', () => {
    console.log(`The hand-written loop fails ${failed.size}: ${[...failed.keys()].join(', ')}`)
    expect(failed.size).toBeGreaterThanOrEqual(30)
  })
})
