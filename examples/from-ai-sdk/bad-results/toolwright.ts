/** What the model reads when a call or its result is bad, and how a run ends that gets nowhere. */
import assert from 'node:assert/strict'
import { ChatClient, textOf, tool } from 'toolwright'
import { z } from 'zod'
import { BAD_CASES, short, within } from '../shared/bad-cases.ts'
import { toolwrightModel } from '../shared/models.ts'

const weather = (execute: () => unknown) =>
  tool({
    name: 'weather',
    description: 'The weather of a city',
    input: z.object({ city: z.string() }),
    timeoutMs: 1000,
    execute,
  })

const seen: string[] = []
for (const { name, asks, execute } of BAD_CASES) {
  const model = toolwrightModel([asks, 'An answer.'])
  const run = ChatClient.create(model).prompt('Oslo?').tools(weather(execute)).call()
  const read = run.content().then(() => textOf(model.prompts.at(-1)!.messages.at(-1)!))
  seen.push(short(await within(read)))
  console.log(`${name}: ${seen.at(-1)}`)
}

const again = Array.from({ length: 100 }, () => ({ call: 'weather', input: '{"city":"Oslo"}' }))
const run = ChatClient.create(toolwrightModel(again))
  .prompt('Oslo?')
  .tools(weather(() => -3))
  .call()
console.log(`the same call again and again: ${short(await within(run.content()))}`)

assert.equal(seen.filter((line) => /REJECTS|STILL|sk-proj-a/.test(line)).length, 0)
