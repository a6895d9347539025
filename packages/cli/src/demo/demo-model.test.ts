import { describe, expect, it } from 'vitest'
import { chatModelContract } from 'toolwright/testing'
import { demoModel } from './demo-model.ts'

/** It says what its rules say, so no test can tell it what to answer, to fail, or to be slow. */
const NEEDS_A_SCRIPT = [
  'a called model answers text, with its finish reason and usage',
  'a called model returns the calls unexecuted, in order, with their raw arguments',
  'an answer cut at the token limit says so',
  'a streamed call starts, comes in pieces that join to its arguments, and is complete',
  'call: a refusal rejects with an error of the catalogue',
  'stream: a refusal rejects with an error of the catalogue',
  'call: an abort on the way rejects with its reason',
  'stream: an abort on the way rejects with its reason',
  'a reader that leaves a stream early is let go, and the model can be asked again',
]

describe('the demo model keeps the contract of a chat model', () => {
  const suite = chatModelContract({ reasoning: false, create: () => ({ model: demoModel() }) })
  for (const { name, run } of suite) if (!NEEDS_A_SCRIPT.includes(name)) it(name, run)

  it('as far as a model without a script can', () => {
    const names = suite.map(({ name }) => name)
    expect(NEEDS_A_SCRIPT.filter((name) => !names.includes(name))).toEqual([])
  })

  it('stops between two words when it is aborted', async () => {
    const controller = new AbortController()
    const reason = new Error('Enough.')
    const read = async (): Promise<void> => {
      for await (const _event of demoModel().stream({ messages: [] }, controller))
        controller.abort(reason)
    }
    await expect(read()).rejects.toBe(reason)
  })

  it('lets a reader go who leaves early', async () => {
    const prompt = { messages: [{ role: 'user', content: 'Hello' }] } as const
    for await (const event of demoModel().stream(prompt)) {
      expect(event).toEqual({ type: 'text-delta', text: 'This ' })
      break
    }
  })
})
