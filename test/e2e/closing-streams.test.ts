/** A model's stream is closed however reading ends, also when the model ignores its signal. */
import { describe, expect, it } from 'vitest'
import { ChatClient, textOf, withToolExecution, type ChatEvent, type ChatModel } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

interface DeafModel extends ChatModel {
  readonly closed: Promise<void>
}

/** Says a word, then nothing for ever; knows only whether it was closed. */
function deafModel(events: readonly ChatEvent[]): DeafModel {
  let close!: () => void
  const closed = new Promise<void>((resolve) => (close = resolve))
  return {
    ...scriptedModel([]),
    closed,
    stream: () => ({
      [Symbol.asyncIterator]() {
        let index = 0
        return {
          next: async () => {
            const value = events[index++]
            return value ? { done: false, value } : new Promise<never>(() => {})
          },
          return: async () => {
            close()
            return { done: true, value: undefined }
          },
        }
      },
    }),
  }
}

const WORD: ChatEvent = { type: 'text-delta', text: 'Well' }
const RESPONSE: ChatEvent = {
  type: 'response',
  response: {
    results: [
      { message: { role: 'assistant', content: 'Well' }, finishReason: 'stop', metadata: {} },
    ],
    usage: {},
    metadata: {},
  },
}

describe('the stream of a model that ignores its signal is closed', () => {
  it('when the only reader leaves', async () => {
    const model = deafModel([WORD])
    for await (const event of ChatClient.create(model).prompt('Go').stream()) {
      expect(event).toMatchObject(WORD)
      break
    }
    await model.closed
  })

  it('when the run is aborted', async () => {
    const model = deafModel([WORD])
    const abort = new AbortController()
    const run = ChatClient.create(model).prompt('Go').signal(abort.signal).stream()
    const reading = (async () => {
      for await (const _event of run) abort.abort('enough')
    })()
    await expect(reading).rejects.toBe('enough')
    await model.closed
  })

  it('when its answer is there', async () => {
    const model = deafModel([WORD, RESPONSE])
    const response = await ChatClient.create(model).prompt('Go').stream().chatResponse()
    expect(textOf(response)).toBe('Well')
    await model.closed
  })

  it('when somebody leaves the stream of withToolExecution', async () => {
    const model = deafModel([WORD])
    const prompt = { messages: [{ role: 'user' as const, content: 'Go' }] }
    for await (const _event of withToolExecution(model).stream(prompt)) break
    await model.closed
  })
})
