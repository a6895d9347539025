/** A test of a program with a tool: what the model was told, what the tool got, and a script that is too short. */
import assert from 'node:assert/strict'
import { generateText, stepCountIs, tool, type LanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { z } from 'zod'

const asked: string[] = []
const weather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => {
    asked.push(city)
    return { celsius: -3 }
  },
})
async function advice(model: LanguageModel, city: string): Promise<string> {
  const { text } = await generateText({
    model,
    prompt: `What do I wear in ${city}?`,
    tools: { weather },
    stopWhen: stepCountIs(20),
  })
  return text
}

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}
const call = {
  type: 'tool-call' as const,
  toolCallId: 'call_1',
  toolName: 'weather',
  input: '{"city":"Oslo"}',
}
const asks = {
  content: [call],
  finishReason: { unified: 'tool-calls' as const, raw: undefined },
  usage,
  warnings: [],
}
const answers = {
  content: [{ type: 'text' as const, text: 'Dress warmly.' }],
  finishReason: { unified: 'stop' as const, raw: undefined },
  usage,
  warnings: [],
}
const model = new MockLanguageModelV3({ doGenerate: [asks, answers] })
assert.equal(await advice(model, 'Oslo'), 'Dress warmly.')
assert.deepEqual(asked, ['Oslo'])
assert.equal(model.doGenerateCalls.length, 2)
const result = model.doGenerateCalls[1]!.prompt.at(-1)!
assert.match(JSON.stringify(result), /"output":{"type":"json","value":{"celsius":-3}}/)

const tooShort = new MockLanguageModelV3({ doGenerate: [asks] })
console.log(await advice(tooShort, 'Oslo').catch(String))
