/** What the model reads when a call or its result is bad, and how a run ends that gets nowhere. */
import assert from 'node:assert/strict'
import { generateText, stepCountIs, tool } from 'ai'
import type { MockLanguageModelV3 } from 'ai/test'
import { z } from 'zod'
import { BAD_CASES, short, within } from '../shared/bad-cases.ts'
import { aiSdkModel } from '../shared/models.ts'

const weather = (execute: () => unknown) =>
  tool({
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    execute,
  })

/** The result in the last prompt, as the adapters of the AI SDK write it. */
function resultIn(model: MockLanguageModelV3): string {
  const message = model.doGenerateCalls.at(-1)!.prompt.at(-1)!
  const [part] = message.role === 'tool' ? message.content : []
  if (part?.type !== 'tool-result' || !('value' in part.output)) return 'no result'
  const { value } = part.output
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const seen: string[] = []
for (const { name, asks, execute } of BAD_CASES) {
  const model = aiSdkModel([asks, 'An answer.'])
  const run = generateText({
    model,
    prompt: 'Oslo?',
    tools: { weather: weather(execute) },
    stopWhen: stepCountIs(20),
    timeout: 1000,
  })
  seen.push(short(await within(run.then(() => resultIn(model)))))
  console.log(`${name}: ${seen.at(-1)}`)
}

const again = Array.from({ length: 100 }, () => ({ call: 'weather', input: '{"city":"Oslo"}' }))
const ended = await generateText({
  model: aiSdkModel(again),
  prompt: 'Oslo?',
  tools: { weather: weather(() => -3) },
  stopWhen: stepCountIs(20),
})
console.log(`the same call again and again: text "${ended.text}" after ${ended.steps.length} steps`)

const alone = await generateText({
  model: aiSdkModel(again),
  prompt: 'Oslo?',
  tools: { weather: weather(() => -3) },
})
console.log(`without stopWhen: text "${alone.text}" after ${alone.steps.length} step`)

assert.equal(seen.filter((line) => /REJECTS|STILL|sk-proj-a/.test(line)).length, 2)
