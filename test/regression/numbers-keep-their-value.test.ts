/**
 * Numbers that a double cannot hold were rounded on the way to a tool or into an entity. They are refused with
 * their place, wherever they come from; every ordinary number passes.
 */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ChatClient, tool, ToolInputError } from 'toolwright'
import { agentRegistry, runAgent } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import { scenario, toldByTools } from '../e2e/scenario.ts'
import { loopback, sse } from './loopback.ts'

const LOST = [
  '9007199254740993',
  '-9007199254740993',
  '9007199254740993.0',
  '9007199254740993.000',
  '9007199254740993e0',
  '9.007199254740993E15',
  '90071992547409931e-1',
  '18014398509481985.0',
  '12345678901234567.5',
  '-12345678901234567.5',
  '1234567890123456.78',
  '4503599627370497.3',
  '1712345678.123456789',
  '100000000000000000000001',
  '1e400',
  '-1e400',
  '1e-400',
  '3e-324',
  `0.${'3'.repeat(1000)}`,
]
const KEPT = [
  '0',
  '-0',
  '0.0',
  '0.1',
  '1e3',
  '-2.5E-7',
  '1e21',
  '1.5e300',
  '5e-324',
  '9007199254740992',
  '9007199254740992.0',
  '2251799813685248.5',
  '0.30000000000000004',
  '0.10000000000000001',
  '3.14159265358979323846',
  '0.33333333333333333333',
  '66.66666666666666666667',
  '52.520006599999995',
  '999999999.99',
  '123456789012345',
  '1.7976931348623157e308',
]

const pay = (log: unknown[]) =>
  tool({
    name: 'pay',
    input: {
      type: 'object',
      properties: {
        items: { type: 'array', items: { type: 'object', additionalProperties: true } },
      },
    },
    execute: (input) => void log.push(input),
  })

describe('in arguments', () => {
  for (const number of LOST)
    scenario(`${number.slice(0, 30)} is refused with its path, and not run`, {
      script: [
        {
          toolCalls: [
            { name: 'pay', rawArguments: `{"items":[{"a":1},{"to":"x,[","the sum":${number}}]}` },
          ],
        },
        'Sorry.',
      ],
      tools: ({ log }) => [pay(log)],
      check({ log, prompts }) {
        expect(log).toEqual([])
        const [told] = toldByTools(prompts[1])
        expect(told).toMatchObject({ isError: true })
        expect(told!.content).toContain(number.slice(0, 30))
        expect(told!.content).toContain('at $.items[1]["the sum"]')
      },
    })

  scenario('every number that a double holds passes, with its value', {
    script: [
      {
        toolCalls: KEPT.map((number) => ({
          name: 'pay',
          rawArguments: `{"items":[{"n":${number}}]}`,
        })),
      },
      'Ok.',
    ],
    client: () => ({ limits: { identicalCalls: 'unlimited' } }),
    tools: ({ log }) => [pay(log)],
    check: ({ log }) =>
      void expect(log).toEqual(KEPT.map((number) => ({ items: [{ n: Number(number) }] }))),
  })

  scenario('in text that is coerced to a number or an object they stay text, which does not fit', {
    script: [
      {
        toolCalls: [
          { name: 'set', rawArguments: '{"count":"9007199254740993.0"}' },
          { name: 'set', rawArguments: '{"more":"{\\"sum\\":12345678901234567.5}"}' },
          { name: 'set', rawArguments: '{"count":"42","more":"{\\"sum\\":0.5}"}' },
          { name: 'set', rawArguments: '{"text":"9007199254740993.0"}' },
        ],
      },
      'Ok.',
    ],
    tools: ({ log }) => [
      tool({
        name: 'set',
        input: {
          type: 'object',
          properties: {
            count: { type: 'number' },
            more: { type: 'object' },
            text: { type: 'string' },
          },
        },
        execute: (input) => void log.push(input),
      }),
    ],
    check({ log, prompts }) {
      expect(log).toEqual([{ count: 42, more: { sum: 0.5 } }, { text: '9007199254740993.0' }])
      const told = toldByTools(prompts[1])
      expect(told.map(({ isError }) => isError ?? false)).toEqual([true, true, false, false])
      expect(told[0]!.content).toMatch(/\$\.count/)
      expect(told[1]!.content).toMatch(/\$\.more/)
    },
  })

  it('a callback that is called directly rejects with the path', async () => {
    const call = pay([]).call('{"items":[{"sum":9007199254740993.0}]}')
    await expect(call).rejects.toThrow(ToolInputError)
    await expect(call).rejects.toThrow('$.items[0].sum')
  })
})

describe('in answers', () => {
  const SUM = z.object({ sum: z.number() })

  it('an entity is asked for again, and never rounded', async () => {
    const model = scriptedModel(['{"sum":9007199254740993.0}', '{"sum":12}'])
    expect(await ChatClient.create(model).prompt('Go').call().entity(SUM)).toEqual({ sum: 12 })
    const said = model.prompts[1]!.messages.at(-1)!
    expect(JSON.stringify(said)).toContain('9007199254740993.0 cannot be kept exactly (at $.sum')
  })

  it('an agent is told, in its output and in its calls', async () => {
    const registry = agentRegistry()
    registry.tool('pay', { type: 'object', properties: { sum: { type: 'number' } } })
    const paid: unknown[] = []
    registry.activity('pay', (call) => void paid.push(call))
    const solution = (output: string, calls = '[]'): string =>
      `{"meta":{"version":"1"},"calls":${calls},"output":${output}}`
    const model = scriptedModel([
      solution('null', '[{"_tool":"pay","sum":12345678901234567.5}]'),
      solution('{"sum":9007199254740993}'),
      solution('{"sum":3}'),
    ])
    const context = [{ type: 'text', text: 'Go' }] as const
    const { output } = await runAgent({ model, registry }, SUM, context)
    expect(output).toEqual({ sum: 3 })
    expect(paid).toEqual([])
    expect(JSON.stringify(model.prompts[1])).toContain('$.calls[0].sum')
    expect(JSON.stringify(model.prompts[2])).toContain('$.output.sum')
  })
})

describe('in arguments that a provider sends as an object', () => {
  const server = loopback()
  const input = '{"items":[{"sum":9007199254740993.0}]}'
  const toldAfter = async (
    mode: 'call' | 'stream',
    first: string,
    last: string,
  ): Promise<string> => {
    const bodies: string[] = []
    server.answer = (response, { body }) => {
      const type = mode === 'call' ? 'application/json' : 'text/event-stream'
      response.writeHead(200, { 'content-type': type }).end(bodies.push(body) === 1 ? first : last)
    }
    const log: unknown[] = []
    const model = server.model(first.includes('choices') ? 'openai-compatible' : 'anthropic')
    const request = ChatClient.create(model).prompt('Go').tools(pay(log))
    await (mode === 'call' ? request.call() : request.stream()).result()
    expect(log).toEqual([])
    return bodies[1]!
  }

  it('Messages: the call is refused, and goes back as it was sent', async () => {
    const block = (given: string): string =>
      `{"type":"tool_use","id":"t1","name":"pay","input":${given}}`
    const whole = `{"content":[${block(input)}],"stop_reason":"tool_use"}`
    const last = '{"content":[{"type":"text","text":"Ok."}],"stop_reason":"end_turn"}'
    const streamed = (given: string): string =>
      sse(
        '{"type":"message_start","message":{"id":"m","content":[]}}',
        `{"type":"content_block_start","index":0,"content_block":${block(given)}}`,
        '{"type":"content_block_stop","index":0}',
        '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}',
        '{"type":"message_stop"}',
      )
    const lastStreamed = sse(
      '{"type":"message_start","message":{"id":"m2","content":[{"type":"text","text":"Ok."}]}}',
      '{"type":"message_delta","delta":{"stop_reason":"end_turn"}}',
      '{"type":"message_stop"}',
    )
    for (const sent of [
      await toldAfter('call', whole, last),
      await toldAfter('stream', streamed(input), lastStreamed),
    ]) {
      expect(sent).toContain('cannot be kept exactly (at $.items[0].sum')
      expect(sent).toContain(`"input":${input}`)
    }
  })

  it('Chat Completions: the same, for servers that send objects', async () => {
    const message = `{"tool_calls":[{"id":"c","function":{"name":"pay","arguments":${input}}}]}`
    const whole = `{"choices":[{"message":${message},"finish_reason":"tool_calls"}]}`
    const last = '{"choices":[{"message":{"content":"Ok."},"finish_reason":"stop"}]}'
    const streamed = (said: string, reason: string): string =>
      sse(`{"choices":[{"index":0,"delta":${said},"finish_reason":"${reason}"}]}`, '[DONE]')
    for (const sent of [
      await toldAfter('call', whole, last),
      await toldAfter(
        'stream',
        streamed(message, 'tool_calls'),
        streamed('{"content":"Ok."}', 'stop'),
      ),
    ])
      expect(sent).toContain('cannot be kept exactly (at $.items[0].sum')
  })

  it('an input nested without end is refused like any other, and does not end the run', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const whole = `{"content":[{"type":"tool_use","id":"t1","name":"pay","input":${deep}}],"stop_reason":"tool_use"}`
    const last = '{"content":[{"type":"text","text":"Ok."}],"stop_reason":"end_turn"}'
    expect(await toldAfter('call', whole, last)).toContain('nested deeper')
  })

  it('the input of a tool that the provider runs itself stays an object', async () => {
    server.answer = (response) => {
      const block = `{"type":"server_tool_use","id":"s","name":"search","input":{"q":9007199254740993}}`
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`{"content":[${block},{"type":"text","text":"Ok."}],"stop_reason":"end_turn"}`)
    }
    const { results } = await server.model('anthropic').call({ messages: [] })
    expect(results[0]!.message.content[0]).toMatchObject({
      data: { input: { q: expect.any(Number) } },
    })
  })

  it('an answer in which null stands for what was left out is not rounded on the way', async () => {
    const said = ['{"sum":9007199254740993,"to":null}', '{"sum":12,"to":null}']
    const bodies: string[] = []
    server.answer = (response, { body }) => {
      const message = { content: said[bodies.push(body) - 1] }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }))
    }
    const capabilities = { structuredOutput: true }
    const client = ChatClient.create(server.model('openai-compatible', { capabilities }))
    const schema = z.object({ sum: z.number(), to: z.string().optional() })
    expect(await client.prompt('Go').call().entity(schema)).toEqual({ sum: 12 })
    expect(bodies[1]).toContain('9007199254740993 cannot be kept exactly')
  })
})
