/** A program waits, and meanwhile what it runs on becomes another. It is refused before anything runs, and its state stays. */
import { codeMode, quickJsSandbox, type Program, type Sandbox } from '@toolwright/code-mode'
import { describe, expect, it } from 'vitest'
import { ChatClient, inMemoryRunStore, tool, type RunState } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const right = quickJsSandbox({ workers: 0 })

const CODE = `
  const { n } = await tools.look({ at: Date.now() })
  const [one] = await Promise.all([tools.pay({ amount: n }), tools.pay({ amount: n + Date.now() % 10 })])
  return one
`

/** The same sandbox, but for how it opens programs, or for what it says it is. */
const changed = (
  engine: string,
  change: (program: Program) => Program = (program) => program,
): Sandbox => ({
  engine,
  open: (program) => right.open(change(program)),
  close: async () => {},
})

const writes =
  (text: RegExp, other: string) =>
  (program: Program): Program => ({ ...program, code: program.code.replace(text, other) })

const ANOTHER: { readonly [what: string]: readonly [Sandbox, RegExp] } = {
  'says that it is another': [changed('quickjs-wasi 4.0.0'), /it ran on quickjs-wasi .*4\.0\.0/],
  'makes another call': [
    changed(right.engine, (program) => ({ ...program, clock: 1 })),
    /its call 0 is another/,
  ],
  'makes another call later': [
    changed(right.engine, writes(/% 10/, '% 10 + 1')),
    /its call 2 is another/,
  ],
  'makes fewer calls': [
    changed(right.engine, writes(/, tools\.pay.*\]\)/, '])')),
    /it made 2 of 3 calls/,
  ],
  'makes more calls': [
    changed(right.engine, writes(/\]\)/, ', tools.look({})])')),
    /it made 4 of 3 calls/,
  ],
  'makes none': [
    changed(right.engine, writes(/await tools\.look.*/, 'await new Promise(() => {})')),
    /did not make a call that it was told the result of/,
  ],
  'cannot read it': [changed(right.engine, writes(/const/, 'const const')), /of 3 calls|result of/],
}

class World {
  readonly runStore = inMemoryRunStore()
  readonly effects: string[] = []

  client(sandbox: Sandbox): ChatClient {
    const look = tool({
      name: 'look',
      input: { type: 'object', properties: { at: { type: 'number' } } },
      execute: () => ({ n: 5, done: this.effects.push('look') }),
    })
    const pay = tool({
      name: 'pay',
      input: { type: 'object', properties: { amount: { type: 'number' } } },
      approval: true,
      execute: ({ amount }) => this.effects.push(`pay ${String(amount)}`),
    })
    const tools = [
      codeMode({
        tools: [look, pay],
        sandbox,
        clock: { now: () => 1_700_000_000_003 },
        random: { next: () => 0.5 },
      }),
    ]
    const { runStore } = this
    return ChatClient.create(
      scriptedModel([
        ({ messages }) =>
          messages.at(-1)!.role === 'tool'
            ? 'Done.'
            : { toolCalls: [{ id: 'p', name: 'runProgram', arguments: { code: CODE } }] },
      ]),
      { tools, runStore, stateSecret: 'a secret of all processes' },
    )
  }
}

describe('a program that waits', () => {
  for (const [what, [sandbox, reason]] of Object.entries(ANOTHER))
    for (const mode of ['call', 'stream'] as const)
      it(`does not go on where the engine ${what} (${mode})`, async () => {
        const world = new World()
        const suspended = await world.client(right).prompt('Go')[mode]().result()
        expect(suspended.pending!.map(({ callId }) => callId)).toEqual(['p/1', 'p/2'])
        const state = JSON.parse(JSON.stringify(suspended.state)) as RunState
        const decisions = { 'p/1': 'approve', 'p/2': 'approve' } as const
        const refused = {
          code: 'program-diverged',
          message: expect.stringMatching(reason) as string,
        }

        const client = world.client(sandbox)
        await expect(client.resume(state, decisions).check()).rejects.toMatchObject(refused)
        await expect(client.resume(state, decisions)[mode]().result()).rejects.toMatchObject(
          refused,
        )
        expect(world.effects).toEqual(['look'])

        await world.client(right).resume(state, decisions).check()
        const done = await world.client(right).resume(state, decisions)[mode]().result()
        expect(done.status).toBe('done')
        expect(world.effects).toEqual(['look', 'pay 5', 'pay 8'])
      })
})

for (const mode of ['call', 'stream'] as const)
  it(`a replay that takes longer than the program did has more time (${mode})`, async () => {
    const world = new World()
    const suspended = await world.client(right).prompt('Go')[mode]().result()
    const times: number[] = []
    const tooLate = { name: 'ProgramStopped', message: 'Too long.' }
    const slow: Sandbox = {
      engine: right.engine,
      async open(program) {
        const { turnMs } = program.limits
        times.push(turnMs)
        const opened = await right.open(program)
        if (turnMs > 4_000) return opened
        const end = { ok: false, kind: 'time', error: tooLate } as const
        const start = async () => ({ calls: [], console: [], fuel: 0, end })
        return { start, deliver: async () => [], dispose: () => opened.dispose() }
      },
      close: async () => {},
    }
    const done = await world
      .client(slow)
      .resume(suspended.state!, { 'p/1': 'approve', 'p/2': 'approve' })
      [mode]()
      .result()
    expect(done.status).toBe('done')
    expect(world.effects).toEqual(['look', 'pay 5', 'pay 8'])
    // Before the state is used up; then it goes on from there.
    expect(times).toEqual([2_000, 4_000, 8_000])
  })
