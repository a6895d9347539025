/** What programs cost their process, and that it ends by itself: each in a process of its own, run from the sources. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const door = new URL('../../index.ts', import.meta.url).href
const testing = new URL('../../testing/index.ts', import.meta.url).href
const attacks = new URL('../../testing/attacks.ts', import.meta.url).href
const root = fileURLToPath(new URL('../../../../..', import.meta.url))

const HEAD = `
import { quickJsSandbox } from '${door}'
import { driveProgram, programOf } from '${testing}'
import { EXHAUST, HOLD_UP } from '${attacks}'
const sandbox = quickJsSandbox()
const run = async (code, limits) => (await driveProgram(sandbox, programOf(code, { limits }))).end
const megabytes = () => process.memoryUsage.rss() / 1e6
`

/** What the process wrote; one that does not end by itself is a failure. */
function output(code: string): unknown {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', HEAD + code]
  const options = { cwd: root, encoding: 'utf8', timeout: 240_000 } as const
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, options)
  expect({ status, signal }, stderr).toEqual({ status: 0, signal: null })
  return JSON.parse(stdout)
}

it('a process ends by itself when its programs have, with the sandbox left open', () => {
  expect(output("console.log(JSON.stringify(await run('return 1 as number')))")).toEqual({
    ok: true,
    json: '1',
  })
})

it('attacks leave less than 100 MB behind', () => {
  const grown = output(`
    for (let n = 0; n < 20; n++) await run('return 1')
    const before = megabytes()
    for (const code of [...Object.values(HOLD_UP), ...Object.values(EXHAUST)]) await run(code, { turnMs: 300 })
    for (let n = 0; n < 50; n++) await run('return 1')
    console.log(JSON.stringify(megabytes() - before))
  `)
  expect(grown).toBeLessThan(100)
})

it('two thousand programs leave less than 50 MB behind', () => {
  const grown = output(`
    // Until then the process itself grows: its compiler, its pools.
    for (let n = 0; n < 1500; n++) await run('return tools.echo({ n: 1 })')
    const before = megabytes()
    for (let n = 0; n < 2000; n++) await run('return tools.echo({ n: 1 })')
    console.log(JSON.stringify(megabytes() - before))
  `)
  expect(grown).toBeLessThan(50)
})
