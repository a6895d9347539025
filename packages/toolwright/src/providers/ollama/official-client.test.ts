/**
 * The official client and our adapter read the same answers and must come to the same message. The answers are
 * written from Ollama's public documentation: chat, tools, thinking, structured output.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ollama, type ChatResponse as OfficialResponse, type Message as Official } from 'ollama'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../messages/json.ts'
import type { AssistantMessage } from '../../messages/message.ts'
import { textOf, toolCallsOf } from '../../messages/reading.ts'
import { aggregate } from '../../model/aggregate.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import { tool } from '../../tools/tool.ts'
import { ollama } from './index.ts'

const line = (message: JsonObject, fields: JsonObject = {}): JsonObject => ({
  model: 'qwen3',
  created_at: '2025-10-17T23:14:07.414671Z',
  message: { role: 'assistant', content: '', ...message },
  done: false,
  ...fields,
})
const done = (fields: JsonObject = {}): JsonObject =>
  line(
    {},
    {
      done: true,
      done_reason: 'stop',
      total_duration: 174_560_334,
      load_duration: 101_397_084,
      prompt_eval_count: 11,
      prompt_eval_duration: 13_074_791,
      eval_count: 18,
      eval_duration: 52_479_709,
      ...fields,
    },
  )
const weather = (city: string, index?: number): JsonObject => ({
  function: {
    ...(index !== undefined && { index }),
    name: 'get_temperature',
    arguments: { city, nested: { list: [1, 2.5, null, true], '': 'ü 🎉' } },
  },
})

const FIXTURES: { readonly [name: string]: readonly JsonObject[] } = {
  'text in pieces': [line({ content: 'The' }), line({ content: ' sky \n"is" ' }), done()],
  'no text': [done()],
  'an answer cut at the limit': [line({ content: 'The sky' }), done({ done_reason: 'length' })],
  'a thought before the text': [
    line({ thinking: 'Count ' }),
    line({ thinking: 'the r’s. 🌧' }),
    line({ content: 'Three.' }),
    done(),
  ],
  'one call': [line({ tool_calls: [weather('New York')] }), done()],
  'a thought, a text and calls side by side': [
    line({ thinking: 'Two cities.' }),
    line({ content: 'Let me look. ' }),
    line({ tool_calls: [weather('New York', 0), weather('London', 1)] }),
    done(),
  ],
  'calls line by line': [
    line({ tool_calls: [weather('New York', 0)] }),
    line({ tool_calls: [weather('London', 1)] }),
    done(),
  ],
  'an answer that is JSON': [line({ content: '{"age": 2' }), line({ content: '2}' }), done()],
}

let server: Server
let records: readonly JsonObject[]
let bodies: JsonObject[] = []
let client: Ollama
let model: ChatModel

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const body = JSON.parse(text) as JsonObject
    bodies.push(body)
    if (body['stream'] === false) {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify(wholeOf(records)))
    }
    response.setHeader('content-type', 'application/x-ndjson')
    return response.end(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = new Ollama({ host: baseUrl })
  model = ollama('qwen3-vl', { baseUrl, retry: false })
})
afterAll(() => server.close())

/** What the server would have sent in one piece. */
function wholeOf(lines: readonly JsonObject[]): JsonObject {
  const messages = lines.map((each) => each['message'] as unknown as Official)
  return { ...lines.at(-1)!, message: joined(messages) as unknown as JsonObject }
}

/** How programs with the official client put a stream together, as its documentation shows it. */
function joined(pieces: readonly Official[]): Official {
  const thinking = pieces.map((piece) => piece.thinking ?? '').join('')
  const calls = pieces.flatMap((piece) => piece.tool_calls ?? [])
  return {
    role: 'assistant',
    content: pieces.map((piece) => piece.content).join(''),
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** Our message in the words of the official client. */
function official(message: AssistantMessage): Official {
  const parts = typeof message.content === 'string' ? [] : message.content
  const thought = parts.find((part) => part.type === 'reasoning')
  const calls = toolCallsOf(message).map((call) => ({
    function: { name: call.name, arguments: JSON.parse(call.arguments) as JsonObject },
  }))
  return {
    role: message.role,
    content: textOf(message),
    ...(thought?.type === 'reasoning' && { thinking: thought.text }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

const sentParameters = ({ tools }: JsonObject): JsonObject =>
  (tools as unknown as readonly [{ function: { parameters: JsonObject } }])[0].function.parameters

/** The number of a call is not part of what it says. */
function unnumbered(message: Official): Official {
  const { tool_calls: calls, ...rest } = message
  if (calls === undefined) return rest
  return {
    ...rest,
    tool_calls: calls.map(({ function: { name, arguments: input } }) => ({
      function: { name, arguments: input },
    })),
  }
}

const prompt = { messages: [{ role: 'user', content: 'Why is the sky blue?' }] } as const
const asked = { model: 'qwen3', messages: [...prompt.messages] }

describe('the official client reads the same', () => {
  it.each(Object.keys(FIXTURES))('%s', async (name) => {
    records = FIXTURES[name]!
    const theirs: OfficialResponse = await client.chat({ ...asked, stream: false })
    const pieces: OfficialResponse[] = []
    for await (const piece of await client.chat({ ...asked, stream: true })) pieces.push(piece)
    const streamed = joined(pieces.map((piece) => piece.message))
    expect(streamed).toEqual(theirs.message)

    const ours = await model.call(prompt)
    expect(await aggregate(model.stream(prompt))).toEqual(ours)
    const { message, rawFinishReason } = ours.results[0]!
    expect(official(message)).toEqual(unnumbered(theirs.message))
    expect(rawFinishReason).toBe(theirs.done_reason)
    expect(ours.usage).toMatchObject({
      inputTokens: theirs.prompt_eval_count,
      outputTokens: theirs.eval_count,
    })
    expect(ours.metadata).toMatchObject({ total_duration: theirs.total_duration })
  })
})

describe('the official client sends the same', () => {
  it('for a conversation with a call, its result, an image and a schema', async () => {
    records = FIXTURES['text in pieces']!
    bodies = []
    const parameters = { type: 'object', properties: { city: { type: 'string' } } } as const
    const get_temperature = tool({
      name: 'get_temperature',
      description: 'Get the current temperature',
      input: parameters,
      execute: () => '22°C',
    })
    await model.call({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Where is this, and how warm?' },
            { type: 'image', mediaType: 'image/png', data: 'aGk=' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm.', providerData: { field: 'thinking' } },
            { type: 'tool-call', id: '', name: 'get_temperature', arguments: '{"city":"Oslo"}' },
          ],
        },
        { role: 'tool', responses: [{ id: '', name: 'get_temperature', content: '22°C' }] },
      ],
      options: {
        tools: [get_temperature],
        temperature: 0,
        seed: 7,
        providerOptions: { ollama: { think: true, keep_alive: '5m' } },
      },
    })
    await client.chat({
      model: 'qwen3-vl',
      stream: false,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Where is this, and how warm?', images: ['aGk='] },
        {
          role: 'assistant',
          content: '',
          thinking: 'Hm.',
          tool_calls: [{ function: { name: 'get_temperature', arguments: { city: 'Oslo' } } }],
        },
        { role: 'tool', content: '22°C', tool_name: 'get_temperature' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_temperature',
            description: 'Get the current temperature',
            // How a schema is lowered is another matter.
            parameters: sentParameters(bodies[0]!),
          },
        },
      ],
      options: { temperature: 0, seed: 7 },
      think: true,
      keep_alive: '5m',
    })
    expect(bodies).toHaveLength(2)
    expect(bodies[0]).toEqual(bodies[1])
  })
})
