/** When the pieces of a model's answer came, as an observer is told it. */
import { expect, it } from 'vitest'
import { ChatClient, textOf, type AnswerOutcome, type ChatModel, type Observer } from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'
import { manualClock, scriptedModel } from 'toolwright/testing'

/** A model that waits for the clock before each piece, and first tells of a retry. */
function slowModel(clock: ReturnType<typeof manualClock>): ChatModel {
  const scripted = scriptedModel(['One two.'])
  return {
    ...scripted,
    async *stream(prompt, run) {
      await clock.advance(30)
      yield { type: 'notice', code: 'model-retry', message: 'again' }
      await clock.advance(70)
      for await (const event of scripted.stream(prompt, run)) {
        yield event
        await clock.advance(5)
      }
    },
  }
}

for (const mode of ['call', 'stream'] as const)
  it(`only a stream has a first chunk, and a notice is none: ${mode}`, async () => {
    const clock = manualClock()
    const outcomes: AnswerOutcome[] = []
    const observer: Observer = {
      start: (kind) => ({ end: (o) => void (kind === 'model' && outcomes.push(o as never)) }),
    }
    const client = ChatClient.create(slowModel(clock), { clock, observer })
    await client.prompt('Go')[mode]().result()
    expect(outcomes.map((each) => each.timeToFirstChunkMs)).toEqual([
      mode === 'stream' ? 100 : undefined,
    ])
  })

/** An observer that is told of the pieces of each answer, and what it was told. */
function listening(): { readonly observer: Observer; readonly gaps: number[] } {
  const gaps: number[] = []
  const observer: Observer = {
    start: (kind) => (kind === 'model' ? { chunk: (ms) => void gaps.push(ms) } : undefined),
  }
  return { observer, gaps }
}

for (const mode of ['call', 'stream'] as const)
  it(`every later piece is told with the time since the one before: ${mode}`, async () => {
    const clock = manualClock()
    const { observer, gaps } = listening()
    await ChatClient.create(slowModel(clock), { clock, observer }).prompt('Go')[mode]().result()
    // Two words; the response says them again.
    expect(gaps).toEqual(mode === 'stream' ? [5] : [])
  })

it('pieces that arrive together are told once', async () => {
  const clock = manualClock()
  const { observer, gaps } = listening()
  const piece = (content: string): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
  const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`
  const reads = [piece('One ') + piece('two '), piece('three ') + piece('four.'), end]
  const bytes = new TextEncoder()
  const model = openaiCompatible('m', {
    baseUrl: 'http://model.test/v1',
    clock,
    transport: async () => ({
      status: 200,
      header: (name) => (name === 'content-type' ? 'text/event-stream' : undefined),
      body: (async function* () {
        for (const read of reads) {
          await clock.advance(20)
          yield bytes.encode(read)
        }
      })(),
    }),
  })
  const answer = await ChatClient.create(model, { clock, observer }).prompt('Go').stream().result()
  expect(textOf(answer.response)).toBe('One two three four.')
  expect(gaps).toEqual([20])
})

it('an observer that fails for each piece costs one notice, and the others are told', async () => {
  const clock = manualClock()
  const { observer, gaps } = listening()
  const failing: Observer = {
    start: () => ({
      chunk() {
        throw new Error('no')
      },
    }),
  }
  const run = ChatClient.create(slowModel(clock), { clock, observer: [failing, observer] })
    .prompt('Go')
    .stream()
  const notices: string[] = []
  for await (const event of run) if (event.type === 'notice') notices.push(event.code)
  expect(gaps).toEqual([5])
  expect(notices).toEqual(['model-retry', 'observer-failed'])
})
