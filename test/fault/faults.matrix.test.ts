/** The fault matrix in all dialects but the one of faults.test.ts. */
import { describe } from 'vitest'
import { FAULT_DIALECTS } from '@toolwright/fault-server'
import { withstandFaults } from './withstand-faults.ts'

describe('the fault matrix', () => {
  withstandFaults(FAULT_DIALECTS.filter((dialect) => dialect !== 'openai'))
})
