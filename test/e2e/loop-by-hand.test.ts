/** The loop in the user's hands: a model, a manager, and nothing else. */
import { describe, expect, it } from 'vitest'
import {
  aggregate,
  hasToolCalls,
  messageWindowMemory,
  textOf,
  tool,
  toolCallingManager,
  type ChatMemory,
  type ChatModel,
  type ChatResponse,
  type Message,
  type Prompt,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { toldByTools } from './scenario.ts'

const add = tool({
  name: 'add',
  input: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
})
const call = { toolCalls: [{ name: 'add', arguments: { a: 2, b: 3 } }] }
const answer = (prompt: Prompt): string => `It is ${textOf(prompt.messages.at(-1)!)}.`
const question: Message = { role: 'user', content: 'What is 2 + 3?' }

const ASK: Record<'call' | 'stream', (model: ChatModel, prompt: Prompt) => Promise<ChatResponse>> =
  {
    call: (model, prompt) => model.call(prompt),
    stream: (model, prompt) => aggregate(model.stream(prompt)),
  }

for (const mode of ['call', 'stream'] as const) {
  const ask = ASK[mode]

  describe(`a loop by hand, by ${mode}`, () => {
    it('gets calls unexecuted, runs them, and sends the results', async () => {
      const model = scriptedModel([call, answer])
      const manager = toolCallingManager()
      let prompt: Prompt = { messages: [question], options: { tools: [add] } }
      let response = await ask(model, prompt)
      expect(hasToolCalls(response)).toBe(true)
      while (hasToolCalls(response)) {
        const { conversationHistory } = await manager.executeToolCalls(prompt, response)
        prompt = { ...prompt, messages: conversationHistory }
        response = await ask(model, prompt)
      }
      expect(textOf(response)).toBe('It is 5.')
      expect(toldByTools(model.prompts[1])).toEqual([{ content: '5' }])
      const sent = model.prompts.map(({ messages }) => messages.map(({ role }) => role))
      expect(sent).toEqual([['user'], ['user', 'assistant', 'tool']])
    })

    it.each(['callsTotal', 'callsPerTool'])(
      'counts against %s when it carries the counters along',
      async (limit) => {
        const model = scriptedModel([call, call, call])
        const manager = toolCallingManager({ limits: { [limit]: 2 } })
        let prompt: Prompt = { messages: [question], options: { tools: [add] } }
        let counters = {}
        const limits: unknown[] = []
        for (let round = 0; round < 3; round++) {
          const response = await ask(model, prompt)
          const batch = await manager.executeToolCalls(prompt, response, counters)
          prompt = { ...prompt, messages: batch.conversationHistory }
          counters = { counters: batch.counters }
          limits.push(batch.limit)
        }
        expect(limits).toEqual([undefined, undefined, limit])
      },
    )

    it('keeps the conversation in a memory', async () => {
      const memory = messageWindowMemory({ maxMessages: 20 })
      const model = scriptedModel([call, answer, 'You asked for 2 + 3.'])
      expect(await converse(model, memory, question)).toBe('It is 5.')
      const again: Message = { role: 'user', content: 'What did I ask?' }
      expect(await converse(model, memory, again)).toBe('You asked for 2 + 3.')
      expect(model.prompts.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
        ['user'],
        ['user', 'assistant', 'tool'],
        ['user', 'assistant', 'tool', 'assistant', 'user'],
      ])
    })

    async function converse(model: ChatModel, memory: ChatMemory, said: Message): Promise<string> {
      const manager = toolCallingManager()
      await memory.add('c', [said])
      for (;;) {
        const prompt = { messages: await memory.get('c'), options: { tools: [add] } }
        const response = await ask(model, prompt)
        await memory.add('c', [response.results[0]!.message])
        if (!hasToolCalls(response)) return textOf(response)
        const { conversationHistory } = await manager.executeToolCalls(prompt, response)
        await memory.add('c', [conversationHistory.at(-1)!])
      }
    }
  })
}
