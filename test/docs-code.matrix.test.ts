/** All code in the READMEs and the documentation: it compiles, and runs where it says so. */
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { documentedFences, problemsOf } from '../scripts/docs/code-fences.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

it('compiles, and runs where it says so', async () => {
  expect(await problemsOf(root, documentedFences(root))).toEqual([])
})
