/** Options given twice lost the tool context of the first; those of the model, client and request add up. */
import { expect } from 'vitest'
import { tool, withToolExecution, type ChatModel } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { it } from 'vitest'
import { scenario } from '../e2e/scenario.ts'

const look = (log: unknown[]) =>
  tool({
    name: 'look',
    execute(_input, { values }) {
      log.push({ ...values })
    },
  })
const script = [{ toolCalls: [{ name: 'look' }] }, 'Done.']

scenario('each `.options()` adds to the tool context, and later keys win', {
  script,
  client: () => ({ options: { toolContext: { client: 1, a: 'client' } } }),
  tools: ({ log }) => [look(log)],
  request: (client) =>
    client
      .prompt({
        messages: [{ role: 'user', content: 'Go' }],
        options: { toolContext: { prompt: 1, a: 'prompt', b: 'prompt' } },
      })
      .options({ toolContext: { first: 1, a: 'first', b: 'first' } })
      .options({ temperature: 0 })
      .options({ toolContext: { second: 1, a: 'second' } }),
  check({ log }) {
    expect(log).toEqual([{ client: 1, prompt: 1, first: 1, second: 1, a: 'second', b: 'first' }])
  },
})

it('a model that runs its tools adds the context of the prompt to its own', async () => {
  const log: unknown[] = []
  const model: ChatModel = Object.assign(scriptedModel(script), {
    options: { tools: [look(log)], toolContext: { model: 1, a: 'model' } },
  })
  const messages = [{ role: 'user', content: 'Go' }] as const
  await withToolExecution(model).call({ messages, options: { toolContext: { prompt: 1, a: 'x' } } })
  expect(log).toEqual([{ model: 1, prompt: 1, a: 'x' }])
})
