/** The generated files of the examples are what the command writes today. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { builtPackages } from '../../scripts/build/built-packages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('examples/generate is up to date', async () => {
  const { command } = await builtPackages()
  const args = [command, 'generate', '--check', 'examples/generate']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: '3 up to date\n' })
})
