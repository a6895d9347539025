/** Small suites with skipped tests, each run by a vitest of its own with the reporter of this project. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'skip-reporter-'))
export const project = join(folder, 'project')

const HEADER = "import { describe, expect, it } from 'vitest'\n"
const PASSES = "it('passes', () => expect(1).toBe(1))\n"
const files = {
  'plain.test.ts': PASSES,
  'skips.test.ts': `${PASSES}it('waits', ({ skip }) => skip('no database here'))\n`,
  'data.test.ts': `${PASSES}const data = process.env.TOOLWRIGHT_DATA\ndescribe.skipIf(true)('reads ' + data, () => it('reads', () => {}))\n`,
  'data-folder.ts': "export const folder = process.env['TOOLWRIGHT_DATA']\n",
  'indirect.test.ts':
    "import { folder } from './data-folder.ts'\nit.skipIf(!folder)('reads', () => {})\n",
  'fails.test.ts': "it('fails', () => expect(1).toBe(2))\n",
}

beforeAll(() => {
  mkdirSync(project)
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  for (const [name, code] of Object.entries(files))
    writeFileSync(join(project, name), HEADER + code)
  const reporter = join(root, 'scripts/skip-reporter.ts')
  const config = `import { SkipReporter } from '${reporter}'\nexport default { test: { reporters: ['default', new SkipReporter()] } }\n`
  writeFileSync(join(project, 'vitest.config.ts'), config)
})
afterAll(() => rmSync(folder, { recursive: true }))

export function runSkipping(
  file: keyof typeof files,
  env: { readonly [name: string]: string } = {},
) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { TOOLWRIGHT_DATA: _data, TOOLWRIGHT_MUST_NOT_SKIP: _must, ...clean } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', file], {
    cwd: project,
    encoding: 'utf8',
    env: { ...clean, ...env, NO_COLOR: '1' },
  })
  return { status, output: stdout + stderr }
}

export const strict = { TOOLWRIGHT_MUST_NOT_SKIP: '1' }
