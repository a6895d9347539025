import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CommandError } from '../../command/command-error.ts'
import { keepFresh } from './keep-fresh.ts'

let folder: string
let ends: AbortController
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-fresh-'))
  ends = new AbortController()
  mkdirSync(join(folder, 'src'))
  mkdirSync(join(folder, 'types'))
  writeFileSync(join(folder, 'src/a.ts'), '')
})
afterEach(() => rmSync(folder, { recursive: true }))

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await delay(5)
}

/** Watches `src`, whose only source depends on a file in `types`; nothing is written by itself. */
function watching(runs: boolean[], fail: () => boolean = () => false) {
  const failures: string[] = []
  const done = keepFresh({
    where: { words: ['src'], cwd: folder },
    signal: ends.signal,
    ready: () => undefined,
    failed: ({ message }) => failures.push(message),
    async generate({ warm = false }) {
      runs.push(warm)
      if (fail()) throw new CommandError('The disk is full. Make room.')
      return {
        outputs: [],
        problems: [],
        warnings: [],
        dependencies: [join(folder, 'types/city.ts')],
      }
    },
  })
  return { done, failures }
}

it('warms up, looks once more when it watches, and then at every change of a dependency', async () => {
  const runs: boolean[] = []
  const { done } = watching(runs)
  await until(() => runs.length === 2)
  expect(runs).toEqual([true, false])
  writeFileSync(join(folder, 'types/city.ts'), '')
  await until(() => runs.length === 3)
  ends.abort()
  await done
})

it('tells what failed and goes on', async () => {
  const runs: boolean[] = []
  const { done, failures } = watching(runs, () => runs.length === 3)
  await until(() => runs.length === 2)
  writeFileSync(join(folder, 'src/b.ts'), '')
  await until(() => failures.length === 1)
  writeFileSync(join(folder, 'src/c.ts'), '')
  await until(() => runs.length === 4)
  expect(failures).toEqual(['The disk is full. Make room.'])
  ends.abort()
  await done
})

it('ends at once when it was told to before it began to wait', async () => {
  const runs: boolean[] = []
  ends.abort()
  await watching(runs).done
  expect(runs.length).toBeLessThanOrEqual(2)
})
