/** Numbers of a tool that would let it retry, wait or remember for ever are refused when the tool is made. */
import { describe, expect, it } from 'vitest'
import { ChatClient, tool, type ToolCallback, type ToolMetadata } from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'

const hints = { idempotent: true }
const WRONG = [NaN, Infinity, -1, '3', 'unlimited', null, {}, true]

const make = (options: object): (() => ToolCallback) => {
  return () => tool({ name: 'a', hints, execute: () => 1, ...options })
}

const cases: readonly (readonly [string, (value: unknown) => object, readonly unknown[]])[] = [
  ['retry.attempts', (attempts) => ({ retry: { attempts } }), [...WRONG, 0, 1.5, undefined]],
  ['retry.delayMs', (delayMs) => ({ retry: { attempts: 2, delayMs } }), WRONG],
  ['rateLimit.calls', (calls) => ({ rateLimit: { calls, perMs: 1 } }), [...WRONG, 0, 1.5, undefined]],
  ['rateLimit.perMs', (perMs) => ({ rateLimit: { calls: 1, perMs } }), [...WRONG, 0, undefined]],
  ['cache.ttlMs', (ttlMs) => ({ cache: { ttlMs } }), [...WRONG, 0, undefined]],
  ['timeoutMs', (timeoutMs) => ({ timeoutMs }), [...WRONG.filter((each) => each !== 'unlimited'), 0]],
] // prettier-ignore

describe('tool() refuses', () => {
  for (const [option, given, values] of cases)
    it.each(values)(`${option}: %s`, (value) => {
      expect(make(given(value))).toThrow(expect.objectContaining({ code: 'invalid-option' }))
      expect(make(given(value))).toThrow(`tool("a").${option} is `)
    })

  it.each(['lock', 'preview', 'resultConverter'])('%s that is no function', (option) => {
    expect(make({ [option]: 'account' })).toThrow(expect.objectContaining({ code: 'invalid-tool' }))
  })
})

it('tool() takes what is sound', () => {
  expect(
    make({
      retry: { attempts: 1, delayMs: 0 },
      rateLimit: { calls: 1, perMs: 1.5 },
      cache: { ttlMs: 1 },
      timeoutMs: 'unlimited',
    }),
  ).not.toThrow()
})

describe('a callback from scratch, which nobody checked, is not run', () => {
  const broken: readonly (readonly [string, object])[] = [
    ['retry.attempts', { retry: { attempts: 'unlimited' } }],
    ['rateLimit.calls', { rateLimit: { calls: 0, perMs: 1 } }],
    ['cache.ttlMs', { cache: { ttlMs: NaN } }],
  ]
  it.each(broken)('with a wrong %s', async (option, metadata) => {
    let runs = 0
    const { definition, metadata: sound } = tool({ name: 'a', hints, execute: () => 1 })
    const scratch: ToolCallback = {
      definition,
      metadata: { ...sound, ...(metadata as Partial<ToolMetadata>) },
      async call() {
        runs++
        throw new Error('down')
      },
    }
    const model = scriptedModel([{ toolCalls: [{ name: 'a' }] }, 'Ok.'])
    const client = ChatClient.create(model, { tools: [scratch], clock: manualClock() })
    const { messages } = await client.prompt('Go').call().result()
    const told = messages.findLast((message) => message.role === 'tool')!
    expect(told.responses[0]!.content).toContain(`Tool "a".${option} is `)
    expect(runs).toBe(0)
  })
})
