/** Entities over HTTP: what the two dialects send for a schema, and what becomes of the answer. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ChatClient, tool, type ChatModel } from 'toolwright'
import { anthropic } from 'toolwright/anthropic'
import { openaiCompatible } from 'toolwright/openai'

type Body = Record<string, any>

let server: Server
let bodies: Body[] = []
let answers: unknown[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    bodies.push(JSON.parse(text) as Body)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answers.shift()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  bodies = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const baseUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

const completion = (message: object, finish_reason = 'stop') => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 },
})
const message = (content: readonly object[], stop_reason = 'end_turn') => ({
  type: 'message',
  role: 'assistant',
  content,
  stop_reason,
  usage: { input_tokens: 10, output_tokens: 1 },
})

const CITY = z.object({ city: z.string().min(2), mayor: z.string().optional() })
const look = tool({ name: 'look', description: 'Look', execute: () => 'Paris' })
const entityOf = (model: ChatModel) =>
  ChatClient.create(model).prompt('Where?').tools(look).call().entity(CITY)

describe('openaiCompatible', () => {
  const able = () =>
    openaiCompatible('m', { baseUrl: baseUrl(), capabilities: { structuredOutput: true } })
  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }

  it('sends a strict schema in every round, and turns null back into nothing', async () => {
    answers = [
      completion({ content: null, tool_calls: [call] }, 'tool_calls'),
      completion({ content: '{"city":"Paris","mayor":null}' }),
    ]
    expect(await entityOf(able())).toEqual({ city: 'Paris' })
    expect(bodies.length).toBe(2)
    for (const body of bodies) {
      expect(body['response_format']).toEqual({
        type: 'json_schema',
        json_schema: {
          name: 'answer',
          strict: true,
          schema: {
            type: 'object',
            properties: {
              city: { type: 'string', description: '(minLength: 2)' },
              mayor: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            },
            required: ['city', 'mayor'],
            additionalProperties: false,
          },
        },
      })
      expect(body['messages'][0]).toEqual({ role: 'user', content: 'Where?' })
      expect(body['tools'].length).toBe(1)
    }
  })

  it('checks what the strict schema could not say, and asks again', async () => {
    answers = [
      completion({ content: '{"city":"P","mayor":null}' }),
      completion({ content: '{"city":"Paris","mayor":"X"}' }),
    ]
    expect(await entityOf(able())).toEqual({ city: 'Paris', mayor: 'X' })
    const { content } = bodies[1]!['messages'].at(-1) as { content: string }
    expect(content).toContain('$.city: expected at least 2 characters')
  })

  it('sends what strict mode cannot say as it is', async () => {
    answers = [completion({ content: '{"a":1}' })]
    const client = ChatClient.create(able())
    const map = z.record(z.string(), z.unknown())
    expect(await client.prompt('Count').call().entity(map)).toEqual({ a: 1 })
    const { json_schema: sent } = bodies[0]!['response_format'] as Body
    expect(sent).not.toHaveProperty('strict')
    expect(sent).toMatchObject({ schema: { additionalProperties: {} } })
  })

  it('asks for a map as a list of entries, and gives the map', async () => {
    answers = [completion({ content: '{"value":[{"key":"a","value":1}]}' })]
    const map = z.record(z.string(), z.number())
    expect(await ChatClient.create(able()).prompt('Count').call().entity(map)).toEqual({ a: 1 })
    expect(bodies[0]!['response_format']).toMatchObject({ json_schema: { strict: true } })
  })

  it('sends a list as the value of an object', async () => {
    answers = [completion({ content: '{"value":["a"]}' })]
    const list = await ChatClient.create(able()).prompt('List').call().entity(z.array(z.string()))
    expect(list).toEqual(['a'])
    expect(bodies[0]!['response_format'].json_schema.schema.type).toBe('object')
  })

  it('asks by words a server of which nothing is known', async () => {
    answers = [completion({ content: '```json\n{"city":"Paris"}\n```' })]
    const model = openaiCompatible('m', { baseUrl: baseUrl() })
    expect(await entityOf(model)).toEqual({ city: 'Paris' })
    expect(bodies[0]).not.toHaveProperty('response_format')
    expect(bodies[0]!['messages'][0].content).toMatch(/^Where\?\n\nYour final answer must be JSON/)
  })
})

describe('anthropic', () => {
  const claude = (model = 'claude-sonnet-4-5', options = {}) =>
    anthropic(model, { apiKey: 'test-key', baseUrl: baseUrl(), ...options })
  const paris = message([{ type: 'text', text: '{"city":"Paris"}' }])

  it('sends the schema in every round, what it does not know in the description', async () => {
    answers = [
      message([{ type: 'tool_use', id: 'c1', name: 'look', input: {} }], 'tool_use'),
      paris,
    ]
    expect(await entityOf(claude())).toEqual({ city: 'Paris' })
    expect(bodies.length).toBe(2)
    for (const body of bodies) {
      expect(body['output_config']).toEqual({
        format: {
          type: 'json_schema',
          schema: {
            type: 'object',
            properties: {
              city: { type: 'string', description: '(minLength: 2)' },
              mayor: { type: 'string' },
            },
            required: ['city'],
            additionalProperties: false,
          },
        },
      })
    }
  })

  it('asks by words for what the API cannot be told', async () => {
    answers = [message([{ type: 'text', text: '{"a":1}' }])]
    const map = z.record(z.string(), z.unknown())
    expect(await ChatClient.create(claude()).prompt('Count').call().entity(map)).toEqual({ a: 1 })
    expect(bodies[0]).not.toHaveProperty('output_config')
    expect(JSON.stringify(bodies[0]!['messages'])).toContain('Your final answer must be JSON')
  })

  it.each(['claude-3-7-sonnet-latest', 'claude-sonnet-4-20250514', 'claude-opus-4-0'])(
    'asks %s by words: it came before structured output',
    async (name) => {
      answers = [paris]
      expect(claude(name).capabilities.structuredOutput).toBe(false)
      expect(await entityOf(claude(name))).toEqual({ city: 'Paris' })
      expect(bodies[0]).not.toHaveProperty('output_config')
    },
  )

  it.each(['claude-sonnet-4-5-20250929', 'claude-opus-4-1', 'claude-haiku-4-5', 'claude-sonnet-5'])(
    'holds %s to the schema',
    (name) => {
      expect(claude(name).capabilities.structuredOutput).toBe(true)
    },
  )

  it('believes what it is told about a model, also when asked without a client', async () => {
    answers = [paris]
    const model = claude('claude-sonnet-5', { capabilities: { structuredOutput: false } })
    expect(model.capabilities).toMatchObject({ tools: true, structuredOutput: false })
    const outputSchema = { type: 'object', properties: {} } as const
    await model.call({ messages: [{ role: 'user', content: 'Hi' }], options: { outputSchema } })
    expect(bodies[0]).not.toHaveProperty('output_config')
    expect(JSON.stringify(bodies[0]!['messages'])).toContain('JSON')
  })
})
