/** Whatever was said and however it is remembered: what is sent to a model is valid. More of it: `npm run test:fuzz`. */
import { expect, it } from 'vitest'
import { memoryCase } from './memory-case.ts'

const CASES = 6_000

it(`of ${CASES} random conversations in random memories, none is sent that a provider would refuse`, async () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const faults = await memoryCase(seed)
    if (faults.length > 0) expect.fail(`seed ${seed}: ${faults.join(' ')}`)
  }
})
