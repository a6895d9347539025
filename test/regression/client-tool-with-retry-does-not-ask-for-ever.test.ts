/**
 * A `clientTool` with `retry` that failed after its question was answered resumed the inner run a second time,
 * was refused because the state was used, and asked the same question again, for ever.
 */
import { expect, it } from 'vitest'
import { ChatClient, clientTool, tool, type Clock, type ToolCallback } from 'toolwright'
import { manualClock, scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { scenario, toldByTools } from '../e2e/scenario.ts'

const ASK: ScriptedStep = { toolCalls: [{ name: 'expert', arguments: { prompt: 'Pay' } }] }
const PAY: ScriptedStep = { toolCalls: [{ name: 'pay', id: 'inner_1' }] }

function expertOf(steps: readonly ScriptedStep[], log: unknown[], stateSecret = 'a secret of many words'): ToolCallback {
  const pay = tool({ name: 'pay', approval: true, execute: () => void log.push('paid') })
  const client = ChatClient.create(scriptedModel(steps), { tools: [pay], stateSecret, ids: countingIds() })
  return clientTool(client, {
    name: 'expert',
    description: 'Knows',
    hints: { idempotent: true },
    retry: { attempts: 3, delayMs: 1 },
  })
} // prettier-ignore

/** Pauses end with the turn: a resume takes turns that nobody can count. */
const hurried: Clock = {
  ...manualClock(),
  timer(_ms, wake) {
    const turn = setImmediate(wake)
    return () => clearImmediate(turn)
  },
}

const approve = { call_1: { answer: { inner_1: 'approve' } } } as const

scenario('a failure after the answer is told to the model, and nobody is asked again', {
  script: [ASK, 'Sorry.'],
  tools: ({ log }) => [expertOf([PAY, { error: new Error('model down') }], log)],
  resume: [() => approve],
  client: () => ({ clock: hurried }),
  check({ result, log, prompts }) {
    expect(result.status).toBe('done')
    expect(log).toEqual(['paid'])
    expect(toldByTools(prompts[1])).toEqual([{ content: 'model down', isError: true }])
  },
})

scenario('a failure before any question is tried again', {
  script: [ASK, 'Thanks.'],
  tools: ({ log }) => [expertOf([{ error: new Error('model down') }, 'Fine.'], log)],
  client: () => ({ clock: hurried }),
  check: ({ prompts }) => expect(toldByTools(prompts[1])).toEqual([{ content: 'Fine.' }]),
})

scenario('a decision that cannot be used is asked for again, and can be corrected', {
  script: [ASK, 'Thanks.'],
  tools: ({ log }) => [expertOf([PAY, 'Paid.'], log)],
  resume: [() => ({ call_1: { answer: { nobody: 'approve' } } }), () => approve],
  client: () => ({ clock: hurried }),
  check({ result, log, legs }) {
    const [, refused] = legs
    expect(refused!.result!.pending).toMatchObject([{ question: { problem: expect.any(String) as string } }])
    expect(result.status).toBe('done')
    expect(log).toEqual(['paid'])
  },
}) // prettier-ignore

it('a state that cannot be used at all is not asked for again', async () => {
  const stateSecret = 'an outer secret of many words'
  const log: unknown[] = []
  const outerOf = (steps: readonly ScriptedStep[], expert: ToolCallback): ChatClient =>
    ChatClient.create(scriptedModel(steps), { tools: [expert], stateSecret, clock: hurried })
  const before = outerOf([ASK], expertOf([PAY], log))
  const { state } = await before.prompt('Go').call().result()
  // The process that goes on has another secret inside: no answer can help.
  const after = outerOf(['Sorry.'], expertOf([PAY], log, 'another secret of many words'))
  const result = await after.resume(state!, approve).call().result()
  expect(result.status).toBe('done')
  expect(log).toEqual([])
  const told = result.messages.findLast((message) => message.role === 'tool')!
  expect(told.responses).toMatchObject([{ isError: true }])
})
