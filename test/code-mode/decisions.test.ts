/** Decisions that are refused, directly and in a program: before the state is used up, and a state has one use. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  inMemoryRunStore,
  tool,
  type ChatClientOptions,
  type RunState,
} from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { quickJsSandbox } from '@toolwright/code-mode'
import { decisionsOf, program, programs, WAYS, type NumberedDecisions, type Way } from './ways.ts'

const SECRET = 'a secret of many words'
const AMOUNT = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] } as const // prettier-ignore

const toolsFor = (log: unknown[], description = 'Pay an amount') => [
  tool({ name: 'look', execute: () => (log.push('looked'), 'seen') }),
  tool({
    name: 'pay',
    description,
    input: AMOUNT,
    approval: true,
    execute: ({ amount }) => void log.push(`paid ${amount}`),
  }),
]

const policy: ChatClientOptions['policy'] = ({ input }) =>
  (input as { amount?: number }).amount === 500 ? { deny: 'not 500' } : 'allow'

interface Waiting {
  readonly client: ChatClient
  readonly state: RunState
  readonly log: unknown[]
}

const CALLS = [[{ name: 'look' }, { name: 'pay', input: { amount: 1 } }]]

async function waiting(way: Way): Promise<Waiting> {
  const log: unknown[] = []
  const client = ChatClient.create(scriptedModel(way.script(CALLS)), {
    tools: way.offered(toolsFor(log)),
    stateSecret: SECRET,
    runStore: inMemoryRunStore(),
    policy,
  })
  const { state } = await client.prompt('Go').call().result()
  expect(log).toEqual(['looked'])
  return { client, state: JSON.parse(JSON.stringify(state)) as RunState, log }
}

const MODES = ['call', 'stream'] as const

function resumed({ client, state }: Waiting, mode: (typeof MODES)[number], decisions: object) {
  const asked = client.resume(state, decisions as never)
  return (mode === 'call' ? asked.call() : asked.stream()).result()
}

const REFUSED: { readonly [what: string]: readonly [NumberedDecisions, string] } = {
  'an edit that does not fit': [{ 1: { edit: { amount: 'x' } } }, 'decision-invalid-edit'],
  'an edit that the policy denies': [{ 1: { edit: { amount: 500 } } }, 'decision-invalid-edit'],
  'a call that nobody made': [{ 7: 'approve' }, 'decision-unknown-call'],
  'a call that has ended': [{ 0: 'approve' }, 'decision-unknown-call'],
  'an answer to no question': [{ 1: { answer: 1 } }, 'decision-wrong-kind'],
  'one that is right beside one that is wrong': [{ 1: 'approve', 7: 'approve' }, 'decision-unknown-call'], // prettier-ignore
}

for (const way of WAYS)
  describe(`a decision about a call that was made ${way.name}`, () => {
    for (const mode of MODES)
      for (const [what, [numbered, code]] of Object.entries(REFUSED))
        it(`${what}: refused before the state is used up (${mode})`, async () => {
          const all = await waiting(way)
          await expect(resumed(all, mode, decisionsOf(way, numbered))).rejects.toMatchObject({ code }) // prettier-ignore
          expect(all.log).toEqual(['looked'])
          const right = decisionsOf(way, { 1: 'approve' })
          expect((await resumed(all, mode, right)).status).toBe('done')
          expect(all.log).toEqual(['looked', 'paid 1'])
        })

    const id = (index: number): string => JSON.stringify(way.id(index))
    for (const mode of MODES)
      for (const [what, numbered, message] of [
        ['an edit that does not fit', { 1: { edit: { amount: 'x' } } }, `The input of call ${id(1)} does not fit tool "pay": $.amount: expected number, received "x". Correct the edited input.`], // prettier-ignore
        ['an edit that the policy denies', { 1: { edit: { amount: 500 } } }, `The policy denies the input of call ${id(1)} to tool "pay": not 500. Correct the edited input.`], // prettier-ignore
        ['a call that nobody made', { 7: 'approve' }, `${id(7)} is not pending. Pending: ${id(1)} (pay). Decide only pending calls.`], // prettier-ignore
      ] as const)
        it(`${what}: refused in words for a person (${mode})`, async () => {
          const all = await waiting(way)
          await expect(resumed(all, mode, decisionsOf(way, numbered))).rejects.toMatchObject({ message }) // prettier-ignore
        })

    for (const mode of MODES) {
      it(`has its effect once, however often the state is used (${mode})`, async () => {
        const all = await waiting(way)
        const right = decisionsOf(way, { 1: 'approve' })
        const both = await Promise.allSettled([resumed(all, mode, right), resumed(all, mode, right)]) // prettier-ignore
        expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
        await expect(resumed(all, mode, right)).rejects.toMatchObject({ code: 'state-used' })
        expect(all.log).toEqual(['looked', 'paid 1'])
      })

      it(`a state that was changed is refused (${mode})`, async () => {
        const all = await waiting(way)
        const text = JSON.stringify(all.state)
        for (const [from, to] of [
          ['"amount":1', '"amount":9'],
          ['seen', 'sent'],
        ] as const) {
          // prettier-ignore
          expect(text).toContain(from)
          const state = JSON.parse(text.replaceAll(from, to)) as RunState
          const right = decisionsOf(way, { 1: 'approve' })
          await expect(resumed({ ...all, state }, mode, right)).rejects.toMatchObject({ code: 'state-signature' }) // prettier-ignore
        }
        expect(all.log).toEqual(['looked'])
      })

      it(`is refused if the tool is another now (${mode})`, async () => {
        const { state, log } = await waiting(way)
        const client = ChatClient.create(scriptedModel(['Done.']), {
          tools: way.offered(toolsFor(log, 'Pay twice')),
          stateSecret: SECRET,
        })
        const right = decisionsOf(way, { 1: 'approve' })
        await expect(resumed({ client, state, log }, mode, right)).rejects.toMatchObject({
          code: 'state-tools-changed',
          message: expect.stringContaining('"pay" (changed)') as string,
        })
        expect(log).toEqual(['looked'])
      })
    }

    it('goes on in another process: another client, with other objects of the same tools', async () => {
      const { state, log } = await waiting(way)
      const client = ChatClient.create(scriptedModel(['Done.']), {
        tools: way.offered(toolsFor(log)),
        stateSecret: SECRET,
      })
      const right = decisionsOf(way, { 1: 'approve' })
      expect((await resumed({ client, state, log }, 'call', right)).status).toBe('done')
      expect(log).toEqual(['looked', 'paid 1'])
    })
  })

describe('a program that waits', () => {
  const started = async (code: string, log: unknown[]): Promise<RunState> => {
    const client = ChatClient.create(scriptedModel([program(code)]), {
      tools: [programs(toolsFor(log))],
      stateSecret: SECRET,
    })
    return (await client.prompt('Go').call().result()).state!
  }
  const WAITS = 'return tools.pay({ amount: 1 })'

  /** What the tools are when it goes on. It has called `look` and `pay`; `other` was there before. */
  const AFTER: { readonly [what: string]: readonly [look: string, other: readonly string[]] } = {
    'a tool was added': ['Look around', ['Old', 'More']],
    'a tool that it has not called is another': ['Look around', ['Another']],
    'a tool that it has not called is gone': ['Look around', []],
    'a tool that has answered is another': ['Look elsewhere', ['Old']],
  }
  for (const [what, [description, others]] of Object.entries(AFTER))
    for (const isDurable of [false, true])
      for (const mode of MODES) {
        const isRefused = description !== 'Look around'
        const does = isRefused ? 'does not go on' : 'goes on'
        it(`${does} where ${what}, in a ${isDurable ? 'durable ' : ''}run (${mode})`, async () => {
          const log: unknown[] = []
          const runStore = inMemoryRunStore()
          const client = (
            look: string,
            rest: readonly string[],
            step: ScriptedStep = 'Done.',
          ): ChatClient => {
            const tools = [
              tool({ name: 'look', description: look, execute: () => void log.push('looked') }),
              toolsFor(log)[1]!,
              ...rest.map((about, n) =>
                tool({ name: `other${n}`, description: about, execute: () => 1 }),
              ),
            ]
            return ChatClient.create(scriptedModel([step]), {
              tools: [programs(tools)],
              stateSecret: SECRET,
              runStore,
              ...(isDurable && { durability: { step: (_key, run) => run() } }),
            })
          }
          const { state } = await client(
            'Look around',
            ['Old'],
            program(`await tools.look(); ${WAITS}`),
          )
            .prompt('Go')
            .call()
            .result()
          const later = client(description, others)
          const right = { 'p/1': 'approve' } as const
          if (isRefused) {
            const refused = { code: 'state-tools-changed', message: expect.stringMatching(/: "look" \(changed\)\./) as string } // prettier-ignore
            await expect(later.resume(state!, right).check()).rejects.toMatchObject(refused)
            await expect(later.resume(state!, right)[mode]().result()).rejects.toMatchObject(
              refused,
            )
          } else {
            await later.resume(state!, right).check()
            expect((await later.resume(state!, right)[mode]().result()).status).toBe('done')
            expect(log).toEqual(['looked', 'paid 1'])
          }
        })
      }

  it('is not resumed on another engine, and its state stays usable', async () => {
    const log: unknown[] = []
    const state = await started(WAITS, log)
    const runStore = inMemoryRunStore()
    const own = quickJsSandbox()
    const other = { engine: 'another 1', open: own.open.bind(own), close: own.close.bind(own) }
    const clientOn = (sandbox: typeof other): ChatClient =>
      ChatClient.create(scriptedModel(['Done.']), {
        tools: [programs(toolsFor(log), { sandbox })],
        stateSecret: SECRET,
        runStore,
      })
    const right = { 'p/0': 'approve' } as const
    await expect(clientOn(other).resume(state, right).call().result()).rejects.toMatchObject({ code: 'program-diverged' }) // prettier-ignore
    expect(log).toEqual([])
    expect(
      (
        await clientOn(own as never)
          .resume(state, right)
          .call()
          .result()
      ).status,
    ).toBe('done')
    expect(log).toEqual(['paid 1'])
    await own.close()
  })
})
