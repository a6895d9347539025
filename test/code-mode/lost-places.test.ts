/** A program loses its place while it is told something, for no fault of its own, and ends as it would have ended there. */
import {
  codeMode,
  quickJsSandbox,
  type ProgramFault,
  type Sandbox,
  type Turn,
} from '@toolwright/code-mode'
import { describe, expect, it } from 'vitest'
import { ChatClient, inMemoryRunStore, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { toldByTools } from '../e2e/scenario.ts'
import { program } from './ways.ts'

const right = quickJsSandbox({ workers: 0 })
type Mode = 'call' | 'stream'
const MODES: readonly Mode[] = ['call', 'stream']

const stopped = (kind: ProgramFault): Turn => ({
  calls: [],
  console: [],
  fuel: 0,
  end: { ok: false, kind, error: { name: 'ProgramStopped', message: `By ${kind}.` } },
})

interface Losing {
  readonly sandbox: Sandbox
  /** How many results each place was told at once. */
  readonly told: number[]
}

/** Loses the first place that is told several results; later ones say `instead`, if there is one. */
function losing(instead?: readonly Turn[]): Losing {
  const told: number[] = []
  let isLost = false
  const sandbox: Sandbox = {
    engine: right.engine,
    close: async () => {},
    async open(given) {
      const open = await right.open(given)
      return {
        start: () => open.start(),
        dispose: () => open.dispose(),
        async deliver(deliveries) {
          told.push(deliveries.length)
          if (isLost && instead) return instead
          if (isLost || deliveries.length < 2) return open.deliver(deliveries)
          isLost = true
          return [stopped('lost')]
        },
      }
    },
  }
  return { sandbox, told }
}

/** All calls of it end at the same moment. */
function lookAtOnce(count: number) {
  let here = 0
  let open = (): void => {}
  const all = new Promise<void>((resolve) => (open = resolve))
  return tool({
    name: 'look',
    async execute() {
      if (++here === count) open()
      await all
      return 'seen'
    },
  })
}

describe('a place that is lost while several results are told', () => {
  async function told(code: string, mode: Mode, { sandbox }: Losing): Promise<string> {
    const programs = codeMode({ tools: [lookAtOnce(2)], sandbox, limits: { fuel: 100 } })
    const client = ChatClient.create(scriptedModel([program(code), 'Done.']), { tools: [programs] })
    const { status, messages } = await client.prompt('Go')[mode]().result()
    expect(status).toBe('done')
    return toldByTools({ messages })[0]!.content as string
  }

  for (const mode of MODES) {
    it(`is made up for by another (${mode})`, async () => {
      const lost = losing()
      const code = 'return (await Promise.all([tools.look(), tools.look()])).length'
      expect(await told(code, mode, lost)).toBe('{"result":2}')
      expect(lost.told).toEqual([2, 2])
    })

    it(`is made up for where the first of them ends the program by its fuel (${mode})`, async () => {
      const lost = losing()
      const code = 'tools.look().then(() => { for (;;); }); await tools.look(); return 1'
      expect(await told(code, mode, lost)).toContain('limits.fuel')
      expect(lost.told).toEqual([2, 2])
    })

    it(`is made up for where the first of them takes it too long (${mode})`, async () => {
      const lost = losing([stopped('time')])
      const code = 'await Promise.all([tools.look(), tools.look()])'
      expect(await told(code, mode, lost)).toContain('By time.')
      expect(lost.told).toEqual([2, 2])
    })
  }
})

describe('a program that waits', () => {
  const CODE = 'tools.look().then(() => 1); tools.look(); return tools.pay()'

  for (const mode of MODES)
    it(`does not go on where it ends before it is told all that it was told (${mode})`, async () => {
      const effects: string[] = []
      const pay = tool({ name: 'pay', approval: true, execute: () => effects.push('pay') })
      const runStore = inMemoryRunStore()
      const client = (sandbox: Sandbox): ChatClient =>
        ChatClient.create(scriptedModel([program(CODE), 'Done.']), {
          tools: [codeMode({ tools: [lookAtOnce(2), pay], sandbox, limits: { fuel: 100 } })],
          runStore,
          stateSecret: 'a secret of all processes',
        })
      const { state } = await client(right).prompt('Go')[mode]().result()
      const decisions = { 'p/2': 'approve' } as const
      const endless: Sandbox = {
        ...right,
        engine: right.engine,
        open: (given) => right.open({ ...given, code: CODE.replace('=> 1', '=> { for (;;); }') }),
      }
      await expect(
        client(endless).resume(state!, decisions)[mode]().result(),
      ).rejects.toMatchObject({
        code: 'program-diverged',
        message: expect.stringContaining('it could be told 1 of 2 results') as string,
      })
      expect(effects).toEqual([])
    })
})
