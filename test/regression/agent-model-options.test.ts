/** Options of the model stand on an agent's config itself. */
import { expect, it } from 'vitest'
import {
  agentRegistry,
  requestAgent,
  runAgent,
  streamAgent,
  type AgentMessage,
} from 'toolwright/agent'
import { answering, SUMMARY } from '../e2e/agent/agent-stage.ts'

const context: readonly AgentMessage[] = [{ type: 'text', text: 'Go' }]
const DONE = { output: { summary: 'done' } }

it('temperature and the others reach every request of the model', async () => {
  const options = {
    temperature: 0,
    topP: 0.5,
    topK: 3,
    maxTokens: 100,
    stopSequences: ['END'],
    seed: 7,
    providerOptions: { scripted: { effort: 'low' } },
  }
  const model = answering('no JSON', DONE, DONE, DONE)
  const config = { model, registry: agentRegistry(), ...options }
  await runAgent(config, SUMMARY, context)
  await requestAgent(config, SUMMARY, context)
  await streamAgent(config, SUMMARY, context).result()
  expect(model.prompts).toHaveLength(4)
  for (const prompt of model.prompts) expect(prompt.options).toMatchObject(options)
})

it('they win over the same option in `options`, and leave the others', async () => {
  const model = answering(DONE)
  const options = { temperature: 1, maxTokens: 5 }
  await runAgent({ model, registry: agentRegistry(), options, temperature: 0 }, SUMMARY, context)
  expect(model.prompts[0]!.options).toMatchObject({ temperature: 0, maxTokens: 5 })
})

it('they reach the requests of delegates', async () => {
  const model = answering({ calls: [{ _tool: 'title', text: 'x' }] }, { output: 'T' }, DONE)
  const title = {
    type: 'object' as const,
    properties: { text: { type: 'string' }, _output: { type: 'string' } },
    _delegate: 'anonymous',
  }
  await runAgent({ model, registry: agentRegistry(), temperature: 0.3 }, SUMMARY, [
    { type: 'tool', tool: { title } },
    ...context,
  ])
  expect(model.prompts.map(({ options }) => options?.temperature)).toEqual([0.3, 0.3, 0.3])
})

it.each([
  [{ temprature: 0 }, /no option "temprature".*"temperature"/],
  [{ outputSchema: {} }, /no option "outputSchema"/],
  [{ temperature: 'warm' }, /temperature is "warm"; it takes a finite number/],
  [{ temperature: Number.NaN }, /temperature is .*; it takes a finite number/],
  [{ maxTokens: 0 }, /maxTokens is 0; it takes a whole number of at least 1/],
  [{ stopSequences: 'END' }, /stopSequences is "END"; it takes a list of texts/],
  [{ providerOptions: { openai: 1 } }, /providerOptions is .*; it takes an object/],
])('%j is refused before the model is asked', async (options, problem) => {
  const model = answering(DONE)
  const config = { model, registry: agentRegistry(), ...options } as never
  await expect(runAgent(config, SUMMARY, context)).rejects.toThrow(problem)
  await expect(requestAgent(config, SUMMARY, context)).rejects.toThrow(problem)
  expect(model.prompts).toHaveLength(0)
})

it('no config at all is refused with a word', async () => {
  await expect(runAgent(undefined as never, SUMMARY, context)).rejects.toThrow(
    /The config of runAgent\(\) takes an object of options/,
  )
})
