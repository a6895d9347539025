/** Megabytes of escapes once ended a run with a RangeError, and source text that spells an escape was dropped. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ChatClient, textOf, tool, toolCallsOf, type ChatModel } from 'toolwright'
import { runAgent } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import { scenario } from '../e2e/scenario.ts'

const MEGABYTES = 10
const ESCAPES: Record<string, string> = {
  'line feeds': '\\n',
  quotes: '\\"',
  backslashes: '\\\\',
  'letters by number': '\\u0041',
  'halves of characters': '\\ud83d',
}
const run = (log: unknown[]) =>
  tool({
    name: 'run',
    input: { type: 'object', additionalProperties: true },
    execute: (input) => void log.push(Object.keys(input as object).length),
  })

/** Calls the tool with these arguments, in one piece also where it streams, and then is done. */
function modelOf(rawArguments: string): ChatModel {
  const script = scriptedModel([{ toolCalls: [{ name: 'run', rawArguments }] }, 'Done.'])
  return {
    ...script,
    async *stream(prompt) {
      yield { type: 'response', response: await script.call(prompt) }
    },
  }
}

for (const [what, escape] of Object.entries(ESCAPES)) {
  const many = escape.repeat((MEGABYTES * 1_000_000) / escape.length)
  const TEXTS = { value: `{"a":"${many}"}`, key: `{"${many}":1}` }

  describe(`${MEGABYTES} MB of ${what}`, () => {
    it('in arguments, as value or key, are an error response', async () => {
      for (const rawArguments of Object.values(TEXTS))
        for (const mode of ['call', 'stream'] as const) {
          const log: unknown[] = []
          const request = ChatClient.create(modelOf(rawArguments)).prompt('Go').tools(run(log))
          const { messages } = await (mode === 'call' ? request.call() : request.stream()).result()
          expect(log).toEqual([])
          const told = messages.find((message) => message.role === 'tool')!
          expect(told.responses[0]).toMatchObject({
            isError: true,
            content: expect.stringContaining('larger than 262144 bytes'),
          })
          expect(textOf(messages.at(-1)!)).toBe('Done.')
        }
    })

    it('are read where no limit is set, and by a callback that is called directly', async () => {
      const log: unknown[] = []
      const client = ChatClient.create(modelOf(TEXTS.value), {
        limits: { argumentBytes: 'unlimited' },
      })
      expect(await client.prompt('Go').tools(run(log)).call().content()).toBe('Done.')
      await run(log).call(TEXTS.key)
      expect(log).toEqual([1, 1])
    })

    it('are read in an entity and in an agent’s output', async () => {
      const entity = await ChatClient.create(scriptedModel([TEXTS.value]))
        .prompt('Go')
        .call()
        .entity(z.object({ a: z.string() }))
      expect(entity.a.length).toBeGreaterThan(1_000_000)
      const solution = `{"meta":{"version":"1"},"output":${TEXTS.value}}`
      const { output } = await runAgent(
        { model: scriptedModel([solution]) },
        z.object({ a: z.string() }),
        [{ type: 'text', text: 'Go' }],
      )
      expect(output!.a).toHaveLength(entity.a.length)
    })
  })
}

describe('source text that spells an escape', () => {
  const SOURCES = [
    '"\\ud83d"',
    '/[\\ud800-\\udfff]/u',
    '\\\\ud83d',
    '\\n\\ud83d',
    '\\u{1f600} \\ud83d\\ude00',
  ]
  scenario('goes to the tool and back to the model as it was written', {
    script: [
      { toolCalls: SOURCES.map((code) => ({ name: 'write', arguments: { code } })) },
      'Done.',
    ],
    tools: ({ log }) => [
      tool({
        name: 'write',
        input: z.object({ code: z.string() }),
        execute: ({ code }) => void log.push(code),
      }),
    ],
    check({ log, prompts }) {
      expect(log).toEqual(SOURCES)
      const sent = toolCallsOf(prompts[1]!.messages[1]!).map((call) => call.arguments)
      expect(sent).toEqual(SOURCES.map((code) => JSON.stringify({ code })))
    },
  })

  scenario('is told apart from half a character, which goes back as U+FFFD', {
    script: [
      { toolCalls: [{ name: 'write', rawArguments: '{"code":"\\ud83d", "same":"\\\\ud83d"}' }] },
      'Done.',
    ],
    tools: () => [
      tool({
        name: 'write',
        input: { type: 'object', additionalProperties: true },
        execute: () => 'ok',
      }),
    ],
    check({ prompts }) {
      const [call] = toolCallsOf(prompts[1]!.messages[1]!)
      expect(call!.arguments).toBe('{"code":"\ufffd", "same":"\\\\ud83d"}')
    },
  })
})
