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
/** Threads that were ended give their memory back a moment later, and a busy machine makes that long. */
const settled = async (from) => {
  let least = megabytes() - from
  for (let look = 0; look < 20; look++) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await run('return 1')
    least = Math.min(least, megabytes() - from)
  }
  return least
}
`

/**
 * How long an attack may go on. A host that is held up by one does not beat for so long or, where a builtin asks nobody,
 * for minutes; one that goes on has gaps of some ten milliseconds, on a machine that is busy with others some hundred.
 */
const ATTACK_MS = 2_000

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
    // Side by side, because all threads of the pool are to be there before.
    for (let n = 0; n < 20; n++) await Promise.all([1, 2, 3, 4].map(() => run('return 1')))
    const before = megabytes()
    for (const code of [...Object.values(HOLD_UP), ...Object.values(EXHAUST)]) await run(code, { turnMs: 300 })
    for (let n = 0; n < 50; n++) await run('return 1')
    console.log(JSON.stringify(await settled(before)))
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

it('a host goes on while its programs attack it', () => {
  const gaps = output(`
    import { codeMode } from '${door}'
    import { ChatClient, tool } from 'toolwright'
    import { scriptedModel } from 'toolwright/testing'
    const echo = tool({ name: 'echo', input: { type: 'object' }, execute: (input) => input })
    const LARGE = "const s = 'x'.repeat(5e5); "
    const attacks = {
      ...HOLD_UP,
      ...EXHAUST,
      'a flood of large calls': LARGE + 'for (;;) tools.echo({ s }).catch(() => {})',
      'dense inputs': 'const o = { a: Array.from({ length: 7e4 }, () => []) }; for (let i = 0; i < 35; i++) tools.echo(o)',
      'wide inputs': 'const o = Object.fromEntries(Array.from({ length: 15e3 }, (_, i) => ["k" + i, i])); for (let i = 0; i < 35; i++) tools.echo(o)',
      'as many large calls as fit': LARGE + 'for (let i = 0; i < 30; i++) tools.echo({ s }).catch(() => {})',
    }
    const gaps = {}
    for (const [what, code] of Object.entries(attacks)) {
      const programs = codeMode({ tools: [echo], sandbox, limits: { turnMs: ${ATTACK_MS}, fuel: 2 ** 31 - 1 } })
      const model = scriptedModel([{ toolCalls: [{ name: 'runProgram', arguments: { code } }] }, 'Done.'])
      const client = ChatClient.create(model, { tools: [programs] })
      let last = performance.now()
      let longest = 0
      const beat = () => {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      }
      const timer = setInterval(beat, 10)
      await client.prompt('Go').call().result()
      beat()
      clearInterval(timer)
      gaps[what] = longest
    }
    console.log(JSON.stringify(gaps))
  `) as { readonly [what: string]: number }
  expect(Object.keys(gaps).length).toBeGreaterThan(25)
  expect(Object.entries(gaps).filter(([, longest]) => longest > ATTACK_MS / 2)).toEqual([])
})
