/** Whatever a program does and whoever decides when: it goes on where it was. More of it: `npm run test:fuzz -- programs`. */
import { expect, it } from 'vitest'
import { programCase } from './program-case.ts'

const CASES = Number(process.env['FUZZ_CASES'] ?? 1_000)
const FIRST = Number(process.env['FUZZ_SEED'] ?? 1)

it(`of ${CASES} random programs none comes to anything else for having waited, moved or died`, async () => {
  for (let seed = FIRST; seed < FIRST + CASES; seed++) {
    const { faults, code } = await programCase(seed)
    if (faults.length > 0) expect.fail(`seed ${seed}:\n${faults.join('\n')}\n\n${code}`)
  }
})
