/** Calls that a tool makes and that wait are pending calls of the run, decided like any other. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  inMemoryRunStore,
  tool,
  toolRunOf,
  type ChatClientOptions,
  type Decisions,
  type ToolCallback,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { eventsOf, scenario, toldByTools } from '../scenario.ts'
import { asks, fanOut, type Asked } from './program.ts'

const amount = {
  type: 'object',
  properties: { amount: { type: 'number' } },
  required: ['amount'],
} as const

const pay = (log: unknown[], description = 'Pay an amount'): ToolCallback =>
  tool({
    name: 'pay',
    description,
    input: amount,
    approval: true,
    preview: (input) => ({ pays: input.amount }),
    execute: ({ amount: sum }, { idempotencyKey }) => (log.push(`${sum} as ${idempotencyKey.split('/').slice(1).join('/')}`), `paid ${sum}`), // prettier-ignore
  }) as ToolCallback
const look = (log: unknown[]): ToolCallback =>
  tool({ name: 'look', execute: () => (log.push('looked'), 'seen') })
const owes = (sum: number): Asked => ({ name: 'pay', input: { amount: sum } })

const told = (prompt: Parameters<typeof toldByTools>[0]): unknown =>
  JSON.parse(toldByTools(prompt)[0]!.content as string)

describe('calls of a tool that wait', () => {
  scenario('are all pending, with their tool’s call and line; subsets, edits and denials', {
    script: [asks(owes(1), 'look', owes(2), owes(3), owes(4)), 'Done.'],
    tools: ({ log }) => [fanOut([pay(log), look(log)])],
    resume: [
      ({ pending, state }) => {
        expect(pending).toEqual(
          [[0, 1], [2, 2], [3, 3], [4, 4]].map(([index, sum]) => ({
            callId: `p/${index}`,
            parentCallId: 'p',
            line: index! + 1,
            toolName: 'pay',
            input: { amount: sum },
            kind: 'approval',
            reason: 'The call needs approval.',
            preview: { pays: sum },
          })),
        ) // prettier-ignore
        expect(state!.journals).toMatchObject({ p: { toolName: 'program', journal: { 1: { ok: true, json: '"seen"' } } } }) // prettier-ignore
        expect(Object.keys(state!.nestedTools!.p!)).toEqual(['pay', 'look'])
        return { 'p/2': 'approve' }
      },
      ({ pending, state }) => {
        expect(pending!.map(({ callId }) => callId)).toEqual(['p/0', 'p/3', 'p/4'])
        // Also a tool that only answered before.
        expect(Object.keys(state!.nestedTools!.p!).sort()).toEqual(['look', 'pay'])
        return { 'p/0': { edit: { amount: 10 } }, 'p/3': { deny: 'Too much.' }, 'p/4': 'approve' }
      },
    ],
    check({ log, prompts, result, legs }) {
      expect(log).toEqual(['looked', '2 as p/2', '10 as p/0', '4 as p/4'])
      expect(told(prompts[1])).toEqual([
        'paid 10', 'seen', 'paid 2', 'denied: Not run: denied. Too much.', 'paid 4',
      ]) // prettier-ignore
      expect(result.status).toBe('done')
      // Counted and asked for once; told as a call once.
      expect(legs[1]!.result!.state!.counters.total).toBe(6)
      const made = legs.flatMap(({ events }) => eventsOf(events, 'tool-call'))
      expect(made.filter(({ parentCallId }) => parentCallId).map(({ toolCall }) => toolCall.id)).toEqual(['p/0', 'p/1', 'p/2', 'p/3', 'p/4']) // prettier-ignore
    },
  })

  scenario('are questions and results to be supplied too, in a tool inside a tool as well', {
    script: [asks({ name: 'inner', input: { calls: [{ name: 'ask' }, { name: 'form' }] } }, owes(5)), 'Done.'], // prettier-ignore
    tools: ({ log }) => {
      const ask = tool({ name: 'ask', execute: (_input, { suspend }) => `${String(suspend('Who?'))} and ${String(suspend('Who else?'))}` }) // prettier-ignore
      const form = tool({ name: 'form', output: { type: 'number' } })
      return [fanOut([fanOut([ask, form], 'inner'), pay(log)])]
    },
    resume: [
      ({ pending, state }) => {
        expect(pending!.map(({ callId, parentCallId, kind }) => [callId, parentCallId, kind])).toEqual([
          ['p/0/0', 'p/0', 'question'], ['p/0/1', 'p/0', 'result'], ['p/1', 'p', 'approval'],
        ]) // prettier-ignore
        expect(Object.keys(state!.journals!)).toEqual(['p', 'p/0'])
        return { 'p/0/0': { answer: 'Ada' } }
      },
      ({ pending, state }) => {
        expect(pending!.map(({ question }) => question)).toEqual([
          'Who else?',
          undefined,
          undefined,
        ])
        expect(state!.answers).toEqual({ 'p/0/0': ['Ada'] })
        return { 'p/1': 'approve' }
      },
      ({ pending, state }) => {
        expect(pending!.map(({ callId }) => callId)).toEqual(['p/0/0', 'p/0/1'])
        expect(state!.answers).toEqual({ 'p/0/0': ['Ada'] })
        return { 'p/0/1': { result: 7 }, 'p/0/0': { answer: 'Bob' } }
      },
    ],
    check: ({ prompts }) => expect(told(prompts[1])).toEqual([['Ada and Bob', 7], 'paid 5']),
  })

  scenario('wait beside other calls of the batch; who is not decided about does not run again', {
    script: [{ toolCalls: [...asks('look', owes(1)).toolCalls, { name: 'pay', id: 'd', arguments: { amount: 9 } }] }, 'Done.'], // prettier-ignore
    tools: ({ log }) => [fanOut([pay(log), look(log)]), pay(log)],
    resume: [
      () => ({ d: 'approve' }),
      ({ pending, state }) => {
        expect(pending).toMatchObject([{ callId: 'p/1', parentCallId: 'p', line: 2 }])
        expect(Object.keys(state!.nestedTools!.p!).sort()).toEqual(['look', 'pay'])
        return { 'p/1': 'approve' }
      },
    ],
    check({ log, prompts }) {
      expect(log).toEqual(['looked', '9 as d', '1 as p/1'])
      expect(told(prompts[1])).toEqual(['seen', 'paid 1'])
    },
  })

  scenario('keep what their results brought: a policy sees it when the run goes on', {
    script: [asks('secret', owes(1), 'send'), 'Done.'],
    tools: ({ log }) => {
      const secret = tool({ name: 'secret', labels: { reads: 'private' }, execute: () => 's' })
      const send = tool({ name: 'send', labels: { sends: true }, approval: true, execute: () => 'sent' }) // prettier-ignore
      return [fanOut([secret, send, pay(log)])]
    },
    client: ({ log }) => ({
      policy({ toolName, input, labels }) {
        log.push([toolName, input, labels.run.private === true])
        return 'allow'
      },
    }),
    resume: [() => ({ 'p/1': { edit: { amount: 2 } } }), () => ({ 'p/2': 'approve' })],
    check({ log, result }) {
      expect(log).toContainEqual(['pay', { amount: 2 }, true])
      const message = result.messages.find(({ role }) => role === 'tool')
      expect(message).toMatchObject({ responses: [{ label: { private: true } }] })
    },
  })

  scenario('the tool itself may be approved with other arguments, which it keeps', {
    script: [asks(owes(1)), 'Done.'],
    tools: ({ log }) => {
      const program = fanOut([pay(log)])
      return [{ ...program, metadata: { ...program.metadata, approval: true } }]
    },
    resume: [
      () => ({ p: { edit: { calls: [{ name: 'pay', input: { amount: 3 } }] } } }),
      () => ({ 'p/0': 'approve' }),
    ],
    check({ log, prompts }) {
      expect(log).toEqual(['3 as p/0'])
      expect(toldByTools(prompts[1])[0]!.content).toMatch(/paid 3.*arguments were changed before it ran/s) // prettier-ignore
    },
  })
})

describe('a decision about a call of a tool', () => {
  const refusals: readonly (readonly [string, Decisions, string])[] = [
    ['of an unknown id', { 'p/7': 'approve' }, 'decision-unknown-call'],
    ['about the tool around it', { p: 'approve' }, 'decision-unknown-call'],
    ['of the wrong kind', { 'p/0': { answer: 1 } }, 'decision-wrong-kind'],
    ['with an edit that does not fit', { 'p/0': { edit: { amount: 'x' } } }, 'decision-invalid-edit'], // prettier-ignore
    ['with an edit that the policy denies', { 'p/0': { edit: { amount: 500 } } }, 'decision-invalid-edit'], // prettier-ignore
  ]
  const STEPS = [asks(owes(1), 'look'), 'Done.']
  const clientOf = (log: unknown[], options: ChatClientOptions = {}, steps = STEPS): ChatClient =>
    ChatClient.create(scriptedModel(steps), {
      tools: [fanOut([pay(log), look(log)])],
      stateSecret: 'a secret of many words',
      runStore: inMemoryRunStore(),
      policy: ({ input }) => ((input as { amount?: number }).amount === 500 ? 'deny' : 'allow'),
      ...options,
    })

  for (const mode of ['call', 'stream'] as const)
    for (const [what, decisions, code] of refusals)
      it(`${what} is refused before the state is used up (${mode})`, async () => {
        const log: unknown[] = []
        const client = clientOf(log)
        const { state } = await client.prompt('Go').call().result()
        const asked = client.resume(state!, decisions)
        // The policy is asked by the run only.
        if (code !== 'decision-invalid-edit' || !what.includes('policy'))
          await expect(asked.check()).rejects.toMatchObject({ code })
        const run = mode === 'call' ? asked.call() : asked.stream()
        await expect(run.result()).rejects.toMatchObject({ code })
        expect(log).toEqual(['looked'])
        await client.resume(state!, { 'p/0': 'approve' }).check()
        const { status } = await client.resume(state!, { 'p/0': 'approve' }).call().result()
        expect(status).toBe('done')
        await expect(client.resume(state!, { 'p/0': 'approve' }).call().result()).rejects.toMatchObject({ code: 'state-used' }) // prettier-ignore
        expect(log).toHaveLength(2)
      })

  it('is refused if a tool that was called is another now, also one that has answered', async () => {
    const log: unknown[] = []
    const { state } = await clientOf(log).prompt('Go').call().result()
    const runStore = inMemoryRunStore()
    const changed = { name: 'look', description: 'Look at anything', execute: () => 'seen' }
    for (const tools of [
      [pay(log, 'Pay more'), look(log)],
      [pay(log), tool(changed)],
      [pay(log)],
    ]) {
      const other = clientOf(log, { tools: [fanOut(tools)], runStore })
      const refused = { code: 'state-tools-changed' }
      await expect(other.resume(state!, { 'p/0': 'approve' }).check()).rejects.toMatchObject(refused) // prettier-ignore
      await expect(other.resume(state!, { 'p/0': 'approve' }).call().result()).rejects.toMatchObject(refused) // prettier-ignore
    }
    const more = [pay(log), look(log), tool({ name: 'other', execute: () => 1 })]
    const same = clientOf(log, { tools: [fanOut(more)], runStore }, ['Done.'])
    expect((await same.resume(state!, { 'p/0': 'approve' }).call().result()).status).toBe('done')
  })

  for (const depth of [0, 1])
    it(`may be described otherwise if it says what is sealed for that, at depth ${depth}`, async () => {
      const log: unknown[] = []
      const runStore = inMemoryRunStore()
      const sealed = (
        description: string,
        paid: string,
        sealedDescription?: string,
      ): ToolCallback => {
        const inner = fanOut([pay(log, paid)])
        const { definition, metadata } = inner
        const composite = {
          ...metadata!.composite,
          ...(sealedDescription && { sealedDescription }),
        }
        return {
          ...inner,
          definition: { ...definition, description },
          metadata: { ...metadata!, composite },
        }
      }
      const script =
        depth === 0 ? asks(owes(1)) : asks({ name: 'inner', input: { calls: [owes(1) as never] } })
      const offering = (own: ToolCallback): ChatClient => {
        const renamed = { ...own, definition: { ...own.definition, name: 'inner' } }
        return clientOf(log, { tools: [depth === 0 ? own : fanOut([renamed])], runStore }, [
          script,
          'Done.',
        ])
      }
      const { state } = await offering(sealed('Pays', 'Pay', 'Same'))
        .prompt('Go')
        .call()
        .result()
      const right: Decisions = { [depth === 0 ? 'p/0' : 'p/0/0']: 'approve' }
      for (const [other, what] of [
        [sealed('Pays and looks', 'Pay more', 'Same'), /"pay" \(changed\)/],
        [sealed('Pays and looks', 'Pay', 'Another'), /"(program|inner)" \(changed/],
        [sealed('Pays and looks', 'Pay'), /"(program|inner)" \(changed/],
      ] as const) {
        const refused = {
          code: 'state-tools-changed',
          message: expect.stringMatching(what) as string,
        }
        await expect(offering(other).resume(state!, right).check()).rejects.toMatchObject(refused)
        await expect(offering(other).resume(state!, right).call().result()).rejects.toMatchObject(
          refused,
        )
      }
      const same = offering(sealed('Pays and looks', 'Pay', 'Same'))
      await same.resume(state!, right).check()
      expect(log).toEqual([])
      await same.resume(state!, right).call().result()
      expect(log).toHaveLength(1)
    })

  it('asks the tools of a function once before anything runs', async () => {
    const log: unknown[] = []
    const tools = async () => (log.push('listed'), [pay(log)])
    const program = fanOut([])
    const listed = { ...program, metadata: { ...program.metadata, composite: { tools } } }
    const client = ChatClient.create(scriptedModel([asks(owes(1), owes(2)), 'Done.']), { tools: [listed] }) // prettier-ignore
    const { state } = await client.prompt('Go').call().result()
    expect(log).toEqual(['listed'])
    await client.resume(state!, { 'p/0': 'approve', 'p/1': 'approve' }).call().result()
    expect(log).toEqual(['listed', 'listed', '1 as p/0', '2 as p/1'])
  })
})

describe('a tool that asks and calls', () => {
  scenario('is asked for its own answer beside the decisions about its calls', {
    script: [{ toolCalls: [{ name: 'program', id: 'p' }] }, 'Done.'],
    tools: ({ log }) => [
      tool({
        name: 'program',
        composite: { tools: [pay(log)] },
        async execute(_input, context) {
          const paid = await toolRunOf(context).call({ index: 0, name: 'pay', arguments: { amount: 1 } }) // prettier-ignore
          return `${String(context.suspend('Sure?'))}: ${JSON.stringify(paid)}`
        },
      }),
    ],
    resume: [
      ({ pending }) => {
        expect(pending!.map(({ callId, kind }) => [callId, kind])).toEqual([['p', 'question'], ['p/0', 'approval']]) // prettier-ignore
        return { 'p/0': 'approve', p: { answer: 'yes' } }
      },
    ],
    check: ({ prompts }) =>
      expect(toldByTools(prompts[1])).toEqual([{ content: 'yes: {"ok":true,"json":"\\"paid 1\\""}' }]), // prettier-ignore
  })
})
