/** What a run cost, however it ended; and that runs know nothing of each other. */
import { describe, expect, it } from 'vitest'
import { ChatClient, textOf, tool, type ChatModel, type RunResult } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { scenario } from './scenario.ts'

const usage = {
  inputTokens: 10,
  outputTokens: 2,
  totalTokens: 12,
  cacheReadTokens: 4,
  cacheWriteTokens: 1,
  reasoningTokens: 1,
}
const twice = Object.fromEntries(Object.entries(usage).map(([key, count]) => [key, 2 * count]))
const call = { toolCalls: [{ name: 'look' }], usage }
const look = tool({ name: 'look', execute: () => 'seen' })

describe('usage', () => {
  scenario('is the sum over all rounds, cache and reasoning counted', {
    script: [call, { text: 'Done.', usage }],
    tools: () => [look],
    check: ({ result }) => expect(result.response.usage).toEqual(twice),
  })

  scenario('of one round is what the model reported', {
    script: [{ text: 'Done.', usage }],
    check: ({ result }) => expect(result.response.usage).toEqual(usage),
  })

  scenario('of one round has no count that the model did not report', {
    script: [{ text: 'Done.', usage: { inputTokens: 7, cacheReadTokens: 0 } }],
    check: ({ result }) =>
      expect(result.response.usage).toStrictEqual({ inputTokens: 7, cacheReadTokens: 0 }),
  })

  scenario('is summed when a limit ends the run', {
    script: [call, call],
    client: () => ({ limits: { rounds: 2 } }),
    tools: () => [look],
    check({ result }) {
      expect(result.status).toBe('limit')
      expect(result.response.usage).toEqual(twice)
    },
  })

  scenario('is summed when results are returned directly', {
    script: [call, { toolCalls: [{ name: 'direct' }], usage }],
    tools: () => [look, tool({ name: 'direct', returnDirect: true, execute: () => 'x' })],
    check({ result }) {
      expect(result.response.results[0]!.finishReason).toBe('return-direct')
      expect(result.response.usage).toEqual(twice)
    },
  })

  it('of a stream is whole though only its last event told it', async () => {
    const model: ChatModel = {
      ...scriptedModel([]),
      async *stream() {
        yield { type: 'text-delta', text: 'Hi.' }
        const message = { role: 'assistant' as const, content: 'Hi.' }
        const results = [{ message, finishReason: 'stop' as const, metadata: {} }]
        yield { type: 'response', response: { results, usage, metadata: {} } }
      },
    }
    const { response } = await ChatClient.create(model).prompt('Go').stream().result()
    expect(response.usage).toEqual(usage)
  })
})

describe('two runs of one request', () => {
  for (const mode of ['call', 'stream'] as const) {
    it(`share neither usage, nor counters, nor events (${mode})`, async () => {
      const model = scriptedModel([call, 'One.', call, 'Two.'])
      const limits = { callsTotal: 1 }
      const request = ChatClient.create(model, { tools: [look], limits }).prompt('Go')
      const results: RunResult[] = []
      for (const _run of [1, 2]) results.push(await request[mode]().result())
      expect(results.map(({ response }) => textOf(response))).toEqual(['One.', 'Two.'])
      expect(results.map(({ response }) => response.usage)).toEqual([usage, usage])
      expect(results.map(({ messages }) => messages.length)).toEqual([4, 4])
    })
  }
})

describe('the text of a stream', () => {
  it('leaves empty pieces out', async () => {
    const model = scriptedModel([{ chunks: ['', 'Hel', '', 'lo', ''] }])
    const pieces: string[] = []
    for await (const piece of ChatClient.create(model).prompt('Go').stream().content())
      pieces.push(piece)
    expect(pieces).toEqual(['Hel', 'lo'])
  })
})
