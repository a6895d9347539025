/** Whatever a tool shows or asks, the other calls of its batch keep their results, and the call can be decided. */
import { describe, expect, it } from 'vitest'
import { advisor, ChatClient, tool, type Decisions, type Json } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { scenario, toldByTools } from '../e2e/scenario.ts'

class Money {
  readonly amount = 5
}
const circular = (): unknown => {
  const value: Record<string, unknown> = { name: 'loop' }
  value['self'] = value
  return value
}
/** Objects that refer to each other: written out, they would be gigabytes. */
const tangled = (): unknown => {
  const layers = Array.from({ length: 40 }, () => ({}) as Record<string, unknown>)
  layers.forEach((layer, at) => {
    layer['left'] = layers[at + 1] ?? 'end'
    layer['right'] = layers[at + 1] ?? 'end'
  })
  return layers[0]
}
const ODD: Record<string, readonly [make: () => unknown, shown: unknown]> = {
  'a bigint': [() => ({ amount: 12n }), { amount: '12' }],
  'a bare bigint': [() => 12n, '12'],
  'a cycle': [circular, { name: 'loop', self: '[circular]' }],
  'a function': [() => () => 1, '[function]'],
  'a symbol': [() => Symbol('x'), '[symbol]'],
  'a map': [() => new Map([['a', 1]]), { a: 1 }],
  'an instance': [() => new Money(), { amount: 5 }],
  'a getter that throws': [
    () => ({
      ok: 1,
      get bad(): string {
        throw new Error('no')
      },
    }),
    { ok: 1, bad: '[unreadable]' },
  ],
  'what would be gigabytes': [tangled, '[too large to be kept]'],
  'a long text': [() => 'x'.repeat(40_000_000), '[too large to be kept]'],
}

const free = tool({ name: 'free', execute: () => 'free' })
const CALLS = { toolCalls: [{ name: 'free', id: 'f' }, { name: 'odd', id: 'o' }] } // prettier-ignore

describe('a preview', () => {
  for (const [name, [make, shown]] of Object.entries(ODD))
    scenario(`that is ${name} is shown as well as can be`, {
      script: [CALLS, 'Done.'],
      tools: () => [
        free,
        tool({ name: 'odd', approval: true, preview: () => make() as Json, execute: () => 'ran' }),
      ],
      resume: [() => ({ o: 'approve' })],
      check({ legs, prompts }) {
        expect(legs[0]!.result!.pending).toMatchObject([{ callId: 'o', kind: 'approval' }])
        expect(legs[0]!.result!.pending![0]!.preview).toEqual(shown)
        expect(legs[0]!.result!.state!.pending[0]!.preview).toEqual(shown)
        expect(toldByTools(prompts[1])).toEqual([{ content: 'free' }, { content: 'ran' }])
      },
    })
})

describe('a question', () => {
  for (const [name, [make, shown]] of Object.entries(ODD))
    scenario(`that is ${name} is asked as well as can be`, {
      script: [CALLS, 'Done.'],
      tools: () => [
        free,
        tool({ name: 'odd', execute: (_input, { suspend }) => suspend(make() as Json) }),
      ],
      resume: [() => ({ o: { answer: 'yes' } })],
      check({ legs, prompts }) {
        expect(legs[0]!.result!.pending![0]!.question).toEqual(shown)
        expect(toldByTools(prompts[1])).toEqual([{ content: 'free' }, { content: 'yes' }])
      },
    })
})

scenario('what an advisor left in the context of the run does not cost it either', {
  script: [CALLS, 'Done.'],
  tools: () => [free, tool({ name: 'odd', approval: true, execute: () => 'ran' })],
  client: () => ({
    advisors: [
      advisor({ name: 'notes', before: ({ context }) => void (context['big'] = 1n as never) }),
    ],
  }),
  resume: [() => ({ o: 'approve' })],
  check({ legs, prompts }) {
    expect(legs[0]!.result!.state!.context).toEqual({ big: '1' })
    expect(toldByTools(prompts[1])).toEqual([{ content: 'free' }, { content: 'ran' }])
  },
})

scenario('an approval rule that gives something else than yes or no asks, in words', {
  script: [CALLS, 'Done.'],
  tools: () => [
    free,
    tool({ name: 'odd', approval: () => 7n as unknown as boolean, execute: () => 'ran' }),
  ],
  resume: [() => ({ o: 'approve' })],
  check: ({ legs }) =>
    void expect(legs[0]!.result!.pending![0]!.reason).toBe('The call needs approval.'),
})

describe('a decision that says nothing', () => {
  const asking = tool({ name: 'odd', execute: (_input, { suspend }) => `got ${String(suspend('?'))}` }) // prettier-ignore
  const approving = tool({ name: 'odd', approval: true, execute: () => 'ran' })
  const supplied = tool({ name: 'odd' })
  const REFUSED: Record<string, readonly [typeof asking, unknown, string]> = {
    '{ answer: undefined }': [asking, { answer: undefined }, 'decision-wrong-kind'],
    '{ answer: a function }': [asking, { answer: () => 1 }, 'decision-wrong-kind'],
    '{ answer: a bigint }': [asking, { answer: 1n }, 'decision-wrong-kind'],
    '{ answer: a cycle }': [asking, { answer: circular() }, 'decision-wrong-kind'],
    '{ deny: undefined } of a question': [asking, { deny: undefined }, 'decision-wrong-kind'],
    '{ deny: undefined } of an approval': [approving, { deny: undefined }, 'decision-wrong-kind'],
    '{ edit: undefined }': [approving, { edit: undefined }, 'decision-invalid-edit'],
    undefined: [approving, undefined, 'decision-wrong-kind'],
  }
  for (const [name, [odd, decision, code]] of Object.entries(REFUSED))
    it(`${name} is refused, and the state stays usable`, async () => {
      const client = ChatClient.create(scriptedModel([CALLS, 'Done.']), { tools: [free, odd] })
      const { state } = await client.prompt('Go').call().result()
      for (const mode of ['call', 'stream'] as const)
        await expect(
          client
            .resume(state!, { o: decision } as Decisions)
            [mode]()
            .result(),
        ).rejects.toMatchObject({ code })
      const good: Decisions = { o: odd === asking ? { answer: null } : 'approve' }
      expect((await client.resume(state!, good).call().result()).status).toBe('done')
    })

  scenario('{ result: undefined } is the result of a tool that returns nothing', {
    script: [CALLS, 'Done.'],
    tools: () => [free, supplied],
    resume: [() => ({ o: { result: undefined } })],
    check: ({ prompts }) =>
      void expect(toldByTools(prompts[1])).toEqual([{ content: 'free' }, { content: 'Done' }]),
  })
})
