/**
 * What an adapter must do with the real thing. The words of a real model are its own, so that the scripted
 * contract suite cannot be put to it; these cases ask for the same promises in questions with one right answer.
 */
import assert from 'node:assert/strict'
import { ChatClient, ToolwrightError, tool, type ChatEvent, type ChatModel } from 'toolwright'
import { z } from 'zod'
import type { LiveModels } from './live-providers.ts'

export interface LiveCase {
  readonly name: string
  /** Absent: always. */
  appliesTo?(models: LiveModels): boolean
  run(models: LiveModels): Promise<void>
}

const HELLO = { messages: [{ role: 'user', content: 'Say hello in one short sentence.' }] } as const
const SUM = 'What is 1217 plus 4325? Use the tool, then answer with the number only.'
const numbers = z.object({ a: z.number(), b: z.number() })

/** A tool that notes what it was given. */
function adder(name: string) {
  const given: z.infer<typeof numbers>[] = []
  const add = tool({
    name,
    description: 'Adds two numbers exactly',
    input: numbers,
    execute: (input) => {
      given.push(input)
      return input.a + input.b
    },
  })
  return { add, given }
}

async function sumBy(model: ChatModel, name: string, mode: 'call' | 'stream'): Promise<void> {
  const { add, given } = adder(name)
  const request = ChatClient.create(model).prompt(SUM).tools(add)
  let answer = ''
  if (mode === 'call') answer = await request.call().content()
  else for await (const text of request.stream().content()) answer += text
  assert.deepEqual(
    given.map(({ a, b }) => a + b),
    [5542],
    'the tool was called once with both numbers',
  )
  assert.match(answer, /5[., ]?542/)
}

async function eventsOf(stream: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** The code of the error that it rejects with. */
async function failure(promise: Promise<unknown>): Promise<string> {
  const thrown = await promise.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  )
  if (!ToolwrightError.is(thrown)) throw thrown
  return thrown.code
}

export const LIVE_CASES: readonly LiveCase[] = [
  {
    name: 'answers a call, with usage',
    async run(models) {
      const { results, usage } = await models.make().call(HELLO)
      assert.equal(results[0]?.finishReason, 'stop')
      assert.notEqual(JSON.stringify(results[0].message.content), '""')
      assert.ok((usage.inputTokens ?? 0) > 0 && (usage.outputTokens ?? 0) > 0, 'tokens are counted')
    },
  },
  {
    name: 'streams the same message that it ends with',
    async run(models) {
      const events = await eventsOf(models.make().stream(HELLO))
      const told = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
      const last = events.at(-1)
      assert.equal(last?.type, 'response')
      const { content } = last.response.results[0]!.message
      const parts =
        typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
      const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      assert.equal(told, text)
    },
  },
  {
    name: 'calls a tool and takes its result (call)',
    run: (models) => sumBy(models.make(), 'add', 'call'),
  },
  {
    name: 'calls a tool and takes its result (stream)',
    run: (models) => sumBy(models.make(), 'add', 'stream'),
  },
  {
    name: 'calls a tool under a name that the provider would refuse',
    run: (models) => sumBy(models.make(), 'sums.add two numbers', 'call'),
  },
  {
    name: 'holds an answer to a schema',
    async run(models) {
      const Capital = z.object({ city: z.string(), population: z.number().optional() })
      const prompt = 'The capital of France. Leave the population out.'
      const { city } = await ChatClient.create(models.make()).prompt(prompt).call().entity(Capital)
      assert.match(city, /paris/i)
    },
  },
  {
    name: 'says when an answer was cut at maxTokens',
    async run(models) {
      const content = 'Count from 1 to 500, in words.'
      const messages = [{ role: 'user', content }] as const
      const { results } = await models.make().call({ messages, options: { maxTokens: 20 } })
      assert.equal(results[0]?.finishReason, 'length')
    },
  },
  {
    name: 'reports a key that is wrong',
    appliesTo: (models) => models.takesKey,
    async run(models) {
      const wrong = models.make({ apiKey: 'wrong-key-wrong-key-wrong-key' })
      // Google answers 400 where others answer 401.
      assert.match(await failure(wrong.call(HELLO)), /^provider-(?:auth|rejected)$/)
    },
  },
  {
    name: 'reports a model that does not exist',
    async run(models) {
      const wrong = models.make({ model: 'no-such-model-1' })
      assert.match(await failure(wrong.call(HELLO)), /^provider-(?:not-found|rejected)$/)
    },
  },
  {
    name: 'ends with the reason of the signal in the middle of a stream',
    async run(models) {
      const aborter = new AbortController()
      const reason = new Error('enough')
      const messages = [{ role: 'user', content: 'Count from 1 to 500, in words.' }] as const
      const reading = (async () => {
        for await (const event of models.make().stream({ messages }, { signal: aborter.signal }))
          if (event.type === 'text-delta' || event.type === 'reasoning-delta') aborter.abort(reason)
      })()
      await assert.rejects(reading, reason)
    },
  },
]
