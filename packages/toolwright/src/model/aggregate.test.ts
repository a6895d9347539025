import { describe, expect, it } from 'vitest'
import { textOf, toolCallsOf } from '../messages/reading.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { AssistantPart } from '../messages/message.ts'
import { scriptedModel } from '../testing/scripted-model.ts'
import { aggregate } from './aggregate.ts'

const PROMPT = { messages: [{ role: 'user' as const, content: 'Go' }] }

describe('aggregate', () => {
  it('gives the text in one piece, however it was cut', async () => {
    const model = scriptedModel([{ chunks: ['Su', '', 'nny, ', 'wärm 😀.'] }])
    expect(textOf(await aggregate(model.stream(PROMPT)))).toBe('Sunny, wärm 😀.')
    const parts = ['Su', 'nny.', ' Warm.'].map((text) => ({ type: 'text' as const, text }))
    const inParts = await aggregate(scriptedModel([{ parts }]).stream(PROMPT))
    expect(textOf(inParts)).toBe('Sunny. Warm.')
  })

  it('reads to the end, and the response wins over the sum of the deltas', async () => {
    let isRead = false
    const said = async (text: string) => (await scriptedModel([text]).call(PROMPT))!
    async function* stream(): AsyncGenerator<ChatEvent> {
      yield { type: 'text-delta', text: 'Ha' }
      yield { type: 'text-delta', text: 'lf' }
      yield { type: 'response', response: await said('Whole.') }
      isRead = true
    }
    expect(textOf(await aggregate(stream()))).toBe('Whole.')
    expect(isRead).toBe(true)
  })

  it('gives each call once and whole, in order, also two of one tool', async () => {
    const toolCalls = [
      { name: 'weather', arguments: { city: 'a city with a long name' } },
      { name: 'weather', arguments: { city: 'Rome' } },
    ]
    const response = await aggregate(scriptedModel([{ toolCalls }]).stream(PROMPT))
    expect(toolCallsOf(response)).toEqual(
      toolCalls.map((call, index) => ({
        type: 'tool-call',
        id: `call_${index + 1}`,
        name: 'weather',
        arguments: JSON.stringify(call.arguments),
      })),
    )
  })

  it('keeps thoughts apart from text, and media and provider parts in their place', async () => {
    const parts: AssistantPart[] = [
      { type: 'reasoning', text: 'Two cities.', providerData: { signature: 'x' } },
      { type: 'text', text: 'Look: ' },
      { type: 'image', mediaType: 'image/png', data: 'iVBORw' },
      { type: 'provider', kind: 'web_search', data: { query: 'q' } },
    ]
    const response = await aggregate(scriptedModel([{ parts }]).stream(PROMPT))
    expect(response.results[0]!.message.content).toEqual(parts)
    expect(textOf(response)).toBe('Look: ')
  })

  it('keeps usage, id, model and metadata as the model reported them', async () => {
    const reported = {
      results: [
        {
          message: { role: 'assistant' as const, content: 'Hi.' },
          finishReason: 'stop' as const,
          rawFinishReason: 'end_turn',
          metadata: {},
        },
      ],
      usage: { inputTokens: 7, outputTokens: 2, cacheReadTokens: 5, cacheWriteTokens: 1 },
      id: 'resp_1',
      model: 'm-1',
      metadata: { rateLimit: { remaining: 9 } },
    }
    async function* stream(): AsyncGenerator<ChatEvent> {
      yield { type: 'text-delta', text: 'Hi.' }
      yield { type: 'response', response: reported }
    }
    expect(await aggregate(stream())).toBe(reported)
  })

  it('rejects with what broke the stream, and when it ends without a response', async () => {
    const down = new Error('down')
    const broken = scriptedModel([{ text: 'Half', error: down }])
    await expect(aggregate(broken.stream(PROMPT))).rejects.toBe(down)
    async function* half(): AsyncGenerator<ChatEvent> {
      yield { type: 'text-delta', text: 'Half' }
    }
    await expect(aggregate(half())).rejects.toMatchObject({ code: 'incomplete-stream' })
    await expect(aggregate((async function* () {})())).rejects.toThrow(/without a response/)
  })
})
