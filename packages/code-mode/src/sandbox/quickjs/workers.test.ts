/** What only workers can do: stop what asks nobody, while the host goes on; and what becomes of the others. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { EXHAUST, HOLD_UP } from '../../testing/attacks.ts'
import { driveProgram, programOf } from '../../testing/drive-program.ts'
import type { ProgramEnd, Sandbox } from '../sandbox.ts'
import { quickJsSandbox } from './quickjs-sandbox.ts'

const sandbox = quickJsSandbox({ warm: 1 })
afterAll(() => sandbox.close())

/** Runs a program and counts how often the host had its turn meanwhile: from when it has its place, since to start a thread takes long. */
async function attack(code: string, turnMs: number, given: Sandbox = sandbox) {
  let ticks = 0
  let isOver = false
  const heartbeat = (async () => {
    for (; !isOver; ticks++) await nextTurn()
  })()
  const counted: Sandbox = {
    ...given,
    open: async (program) => given.open(program).finally(() => (ticks = 0)),
  }
  const { end } = await driveProgram(counted, programOf(code, { limits: { turnMs } }))
  isOver = true
  await heartbeat
  return { end, ticks }
}

/** A host that is held up has one or two turns meanwhile, one that is not some thousands. */
const FREE_TICKS = 20
/** One that ended by itself may have been over before the host's next turn. */
const tookLong = (end: ProgramEnd | undefined): boolean =>
  end?.ok === false && (end.kind === 'time' || end.kind === 'fuel')

describe('a program that a builtin holds up', () => {
  for (const [what, code] of Object.entries(HOLD_UP))
    it(`is stopped while the host goes on: ${what}`, async () => {
      const { end, ticks } = await attack(code, 100)
      expect(end).toMatchObject({ ok: false })
      expect(end).toHaveProperty('kind', expect.stringMatching(/^(time|fuel|memory|thrown)$/))
      if (tookLong(end)) expect(ticks).toBeGreaterThan(FREE_TICKS)
      const next = await driveProgram(sandbox, programOf('return await tools.echo({ n: 1 })'))
      expect(next.end).toEqual({ ok: true, json: '{"n":1}' })
    })
})

it('a host that runs programs itself is held up, which the count shows', async () => {
  const inline = quickJsSandbox({ workers: 0 })
  const { end, ticks } = await attack('for (;;);', 300, inline)
  expect(tookLong(end)).toBe(true)
  expect(ticks).toBeLessThan(FREE_TICKS)
  await inline.close()
})

describe('a program that takes all there is', () => {
  for (const [what, code] of Object.entries(EXHAUST))
    it(`ends while the host goes on: ${what}`, async () => {
      const { end, ticks } = await attack(code, 300)
      expect(end).toMatchObject({ ok: false })
      if (tookLong(end)) expect(ticks).toBeGreaterThan(FREE_TICKS)
      const next = await driveProgram(sandbox, programOf('const x: number = 1\nreturn x'))
      expect(next.end).toEqual({ ok: true, json: '1' })
    })
})

describe('a worker that has to be ended', () => {
  it('blames the program that held it up; the others are lost and go the same way elsewhere', async () => {
    const only = quickJsSandbox({ warm: 0, workers: 1 })
    const code = 'return [Math.random(), await tools.echo({ n: 1 }), await tools.echo({ n: 2 })]'
    const bystander = await only.open(programOf(code))
    const begun = await bystander.start()
    const [second] = await bystander.deliver([{ index: 0, ok: true, json: '"one"' }])
    const bad = await only.open(programOf(HOLD_UP['indexOf']!, { limits: { turnMs: 50 } }))
    const badEnd = bad.start()
    const lost = bystander.deliver([{ index: 1, ok: true, json: '"two"' }])
    expect((await badEnd).end).toMatchObject({ ok: false, kind: 'time' })
    expect((await lost).at(-1)!.end).toMatchObject({ ok: false, kind: 'lost' })
    expect((await bystander.deliver([])).length).toBe(0)

    const again = await only.open(programOf(code))
    expect(await again.start()).toEqual(begun)
    const [replayed, ended] = await again.deliver([
      { index: 0, ok: true, json: '"one"' },
      { index: 1, ok: true, json: '"two"' },
    ])
    expect(replayed).toEqual(second)
    expect(ended!.end).toMatchObject({ ok: true })
    await only.close()
  })
})

describe('a turn that is not wanted any more', () => {
  const spinning = { limits: { turnMs: 600_000, fuel: 2 ** 31 - 1 } }

  it('is dropped at once, and its worker is free again', async () => {
    const only = quickJsSandbox({ warm: 0, workers: 1 })
    const open = await only.open(programOf('for (;;);', spinning))
    const turn = open.start()
    open.dispose()
    expect((await turn).end).toMatchObject({ ok: false, kind: 'lost' })
    const next = await driveProgram(only, programOf('return 1'))
    expect(next.end).toEqual({ ok: true, json: '1' })
    await only.close()
  })

  it('rejects with the reason of its signal', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const open = await sandbox.open(programOf('for (;;);', { ...spinning, signal }))
    const turn = open.start()
    controller.abort(new Error('enough'))
    await expect(turn).rejects.toThrow('enough')
  })

  it('ends as lost when the sandbox is closed', async () => {
    const only = quickJsSandbox({ warm: 0, workers: 1 })
    const open = await only.open(programOf(HOLD_UP['indexOf']!, spinning))
    const turn = open.start()
    await only.close()
    expect((await turn).end).toMatchObject({ ok: false, kind: 'lost' })
  })
})

describe('many programs', () => {
  it('leave nothing behind, two hundred in a row', async () => {
    const before = process.getActiveResourcesInfo().length
    for (let n = 0; n < 200; n++) {
      const open = await sandbox.open(programOf('return tools.echo({})'))
      if (n % 3 > 0) await open.start()
      if (n % 3 > 1) await open.deliver([{ index: 0, ok: true, json: `${n}` }])
      open.dispose()
    }
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before + 2)
    const { end } = await driveProgram(sandbox, programOf('return 1'))
    expect(end).toEqual({ ok: true, json: '1' })
  })

  it('go the same way in a worker and in the thread of their host', async () => {
    const inline = quickJsSandbox({ workers: 0 })
    const code = `for (let i = 0; i < 5; i++) {
  const got = await Promise.allSettled([tools.echo({ i, r: Math.random() }), tools.fail({ message: 'no' })])
  console.log(Date.now(), got)
  for (let j = 0; j < 1e5; j++);
}
return [1, 2, 3].map(Math.random)`
    const first = await driveProgram(sandbox, programOf(code))
    expect(first.end).toMatchObject({ ok: true })
    expect(first.fuel).toBeGreaterThan(10)
    expect(await driveProgram(inline, programOf(code))).toEqual(first)
    await inline.close()
  })
})
