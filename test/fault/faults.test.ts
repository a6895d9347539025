/** The fault matrix in one dialect. The others are among the slow suites; `npm run test:faults` runs them all. */
import { describe, expect, it } from 'vitest'
import { FAULT_SCENARIOS } from '@toolwright/fault-server'
import { withstandFaults } from './withstand-faults.ts'

describe('the fault matrix', () => {
  it('has 66 scenarios of different names', () => {
    expect(new Set(FAULT_SCENARIOS.map((scenario) => scenario.name)).size).toBe(66)
  })

  withstandFaults(['openai'])
})
