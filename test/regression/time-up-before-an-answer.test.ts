/** A model that hung in its first round made a run with a time limit reject with an error without a result. */
import { expect, it } from 'vitest'
import { ChatClient, chatMemoryAdvisor, messageWindowMemory, RunLimitError } from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'

for (const onLimit of ['stop', 'throw'] as const)
  for (const mode of ['call', 'stream'] as const)
    it(`time that is up in the first round: the error has what was obtained (${mode}, ${onLimit})`, async () => {
      const clock = manualClock()
      const memory = messageWindowMemory()
      const advisors = [chatMemoryAdvisor(memory)]
      const model = scriptedModel([{ hang: true }], { clock })
      const client = ChatClient.create(model, { clock, advisors, onLimit })
      const request = client.prompt('Go').conversation('c').limits({ runTimeoutMs: 1000 })
      const run = mode === 'call' ? request.call() : request.stream()
      const failed = run.result().catch((error: unknown) => error)
      await clock.advance(1001)
      const error = await failed
      expect(error).toBeInstanceOf(RunLimitError)
      const messages = [{ role: 'user', content: 'Go' }]
      expect(error).toMatchObject({ result: { status: 'limit', rounds: [], messages } })
      expect(run.partial.messages).toEqual(messages)
      expect(await memory.get('c')).toEqual(messages)
    })
