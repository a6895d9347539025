/** When the first piece of a model's answer came, as an observer is told it. */
import { expect, it } from 'vitest'
import { ChatClient, type AnswerOutcome, type ChatModel, type Observer } from 'toolwright'
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
