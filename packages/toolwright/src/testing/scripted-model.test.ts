import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '../messages/chat-event.ts'
import { textOf, toolCallsOf } from '../messages/reading.ts'
import type { ChatModel, ModelRun, Prompt } from '../model/chat-model.ts'
import { manualClock } from './manual-clock.ts'
import { scriptedModel } from './scripted-model.ts'

const PROMPT: Prompt = { messages: [{ role: 'user', content: 'Hello' }] }

async function events(model: ChatModel, run?: ModelRun): Promise<ChatEvent[]> {
  const seen: ChatEvent[] = []
  for await (const event of model.stream(PROMPT, run)) seen.push(event)
  return seen
}

describe('scriptedModel', () => {
  it('says its steps in order, called or streamed', async () => {
    const model = scriptedModel(['One.', { text: 'Two.' }, () => 'Three.'])
    expect(textOf(await model.call(PROMPT))).toBe('One.')
    expect((await events(model)).at(-1)).toMatchObject({
      type: 'response',
      response: { results: [{ message: { content: 'Two.' }, finishReason: 'stop' }] },
    })
    expect(textOf(await model.call(PROMPT))).toBe('Three.')
    expect(model.remaining).toBe(0)
  })

  it('remembers every prompt it was given', async () => {
    const model = scriptedModel(['One.', 'Two.'])
    await model.call(PROMPT)
    expect(model.prompts).toEqual([PROMPT])
    expect(model.remaining).toBe(1)
  })

  it('fails loudly when the script runs out, and says what it was asked', async () => {
    const model = scriptedModel([])
    await expect(model.call(PROMPT)).rejects.toMatchObject({ code: 'script-mismatch' })
    await expect(events(model)).rejects.toThrow('Hello')
  })

  it('rejects when the prompt is not the expected one', async () => {
    const expected = new Error('Not what I expected.')
    const step = {
      text: 'Hi',
      expect: () => {
        throw expected
      },
    }
    await expect(scriptedModel([step]).call(PROMPT)).rejects.toBe(expected)
  })

  it('hands the prompt to a step that is a function', async () => {
    const model = scriptedModel([(prompt) => `${prompt.messages.length} message`])
    expect(textOf(await model.call(PROMPT))).toBe('1 message')
  })

  it('numbers calls over the whole script and takes arguments as value or raw', async () => {
    const toolCalls = [
      { name: 'a', arguments: { n: 1 } },
      { name: 'b', rawArguments: '{"n":' },
      { name: 'c', id: 'mine' },
    ]
    const model = scriptedModel([{ toolCalls }, { toolCalls: [{ name: 'd' }] }])
    const first = await model.call(PROMPT)
    const second = await model.call(PROMPT)
    expect(toolCallsOf(first)).toEqual([
      { type: 'tool-call', id: 'call_1', name: 'a', arguments: '{"n":1}' },
      { type: 'tool-call', id: 'call_2', name: 'b', arguments: '{"n":' },
      { type: 'tool-call', id: 'mine', name: 'c', arguments: '{}' },
    ])
    expect(toolCallsOf(second)[0]?.id).toBe('call_3')
    expect(first.results[0]?.finishReason).toBe('tool-calls')
  })

  it('streams words by default and chunks when told', async () => {
    const deltas = async (step: string | { chunks: string[] }): Promise<string[]> =>
      (await events(scriptedModel([step]))).flatMap((event) =>
        event.type === 'text-delta' ? [event.text] : [],
      )
    expect(await deltas(' It is noon. ')).toEqual([' It ', 'is ', 'noon. '])
    expect(await deltas({ chunks: ['It i', 's noon.'] })).toEqual(['It i', 's noon.'])
    expect(await deltas('   ')).toEqual(['   '])
    expect(await deltas('')).toEqual([])
  })

  it('streams whole parts in order', async () => {
    const parts = [
      { type: 'reasoning', text: 'Hm.', providerData: { signature: 'x' } },
      { type: 'text', text: 'Hi' },
      { type: 'provider', kind: 'web_search', data: {} },
    ] as const
    const seen = await events(
      scriptedModel([{ parts, finishReason: 'length', usage: { inputTokens: 1 } }]),
    )
    expect(seen.slice(0, -1)).toEqual([
      { type: 'reasoning-delta', text: 'Hm.' },
      { type: 'part', part: parts[0] },
      { type: 'text-delta', text: 'Hi' },
      { type: 'part', part: parts[2] },
    ])
    expect(seen.at(-1)).toMatchObject({
      response: { usage: { inputTokens: 1 }, results: [{ finishReason: 'length' }] },
    })
  })

  it('rejects with the error of a step, in a stream after what was said before', async () => {
    const error = new Error('The model fell over.')
    await expect(scriptedModel([{ error }]).call(PROMPT)).rejects.toBe(error)
    const seen: string[] = []
    const read = async (): Promise<void> => {
      for await (const event of scriptedModel([{ text: 'Half', error }]).stream(PROMPT))
        seen.push(event.type)
    }
    await expect(read()).rejects.toBe(error)
    expect(seen).toEqual(['text-delta'])
  })

  it('waits on its clock', async () => {
    const clock = manualClock()
    const model = scriptedModel([{ text: 'Late.', delayMs: 1_000 }], { clock })
    let answered = false
    const call = model.call(PROMPT).finally(() => (answered = true))
    await clock.advance(999)
    expect(answered).toBe(false)
    await clock.advance(1)
    expect(textOf(await call)).toBe('Late.')
  })

  it('hangs until it is aborted, in a stream after what was said before', async () => {
    const reason = new Error('Enough.')
    for (const mode of ['call', 'stream'] as const) {
      const controller = new AbortController()
      const model = scriptedModel([{ text: 'Half', hang: true }])
      const { signal } = controller
      const work = mode === 'call' ? model.call(PROMPT, { signal }) : events(model, { signal })
      setImmediate(() => controller.abort(reason))
      await expect(work).rejects.toBe(reason)
    }
  })

  it('uses no step up when it was aborted before', async () => {
    const model = scriptedModel(['One.'])
    const signal = AbortSignal.abort(new Error('Enough.'))
    await expect(model.call(PROMPT, { signal })).rejects.toThrow('Enough.')
    expect(model.remaining).toBe(1)
    expect(textOf(await model.call(PROMPT))).toBe('One.')
  })

  it('stops between two events when it is aborted', async () => {
    const controller = new AbortController()
    const seen: string[] = []
    const read = async (): Promise<void> => {
      for await (const event of scriptedModel(['One two.']).stream(PROMPT, controller)) {
        seen.push(event.type)
        controller.abort(new Error('Enough.'))
      }
    }
    await expect(read()).rejects.toThrow('Enough.')
    expect(seen).toEqual(['text-delta'])
  })

  it.each([
    ['a misspelt field', { toolcalls: [] } as object, 'unknown-option'],
    ['chunks that are another text', { text: 'One.', chunks: ['Two.'] }, 'script-mismatch'],
    ['parts beside text', { text: 'One.', parts: [] }, 'script-mismatch'],
  ])('refuses a step with %s', async (_what, step, code) => {
    await expect(scriptedModel([step]).call(PROMPT)).rejects.toMatchObject({ code })
  })
})
