import { expect, it } from 'vitest'
import { countingIds } from './counting-ids.ts'

it('counts each prefix for itself, from 1, in each port anew', () => {
  const ids = countingIds()
  const given = [ids.next('run'), ids.next('state'), ids.next('run'), countingIds().next('run')]
  expect(given).toEqual(['run_1', 'state_1', 'run_2', 'run_1'])
})
