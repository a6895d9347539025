/** Skipped tests are seen, and fail a run that must not skip: small suites run by a vitest of their own. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'skip-reporter-'))
const project = join(folder, 'project')

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

function run(file: keyof typeof files, env: { readonly [name: string]: string } = {}) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { TOOLWRIGHT_DATA: _data, TOOLWRIGHT_MUST_NOT_SKIP: _must, ...clean } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', file], {
    cwd: project,
    encoding: 'utf8',
    env: { ...clean, ...env, NO_COLOR: '1' },
  })
  return { status, output: stdout + stderr }
}

const strict = { TOOLWRIGHT_MUST_NOT_SKIP: '1' }

describe('the skip reporter', () => {
  it('lists a skipped test with its reason and lets the run pass', () => {
    const { status, output } = run('skips.test.ts')
    expect(output).toMatch(/Skipped: 1\n {2}- skips\.test\.ts > waits\n {6}no database here/)
    expect(status).toBe(0)
  })

  it('fails a run that must not skip', () => {
    const { status, output } = run('skips.test.ts', strict)
    expect(output).toContain('TOOLWRIGHT_MUST_NOT_SKIP is set')
    expect(status).toBe(1)
  })

  it('excuses tests of data that is absent, visibly', () => {
    const { status, output } = run('data.test.ts', strict)
    expect(output).toMatch(/Skipped: 1[\s\S]*needs the data at \.\.\/shared/)
    expect(status).toBe(0)
  })

  it('excuses them when another file finds the data for them', () => {
    const { status, output } = run('indirect.test.ts', strict)
    expect(output).toContain('Skipped: 1')
    expect(status).toBe(0)
  })

  it('does not excuse them when the data is there', () => {
    expect(run('data.test.ts', { ...strict, TOOLWRIGHT_DATA: project }).status).toBe(1)
  })

  it('says nothing where nothing was skipped, and hides no failure', () => {
    const passing = run('plain.test.ts', strict)
    expect(passing.output).not.toContain('Skipped:')
    expect(passing.status).toBe(0)
    expect(run('fails.test.ts').status).toBe(1)
  })
})
