/**
 * Answers written from Anthropic's public documentation of the Messages API, served over HTTP to our adapter and
 * to the official client. Both must have the same message in the end, and send the same back.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import type { Message as TheirMessage } from '@anthropic-ai/sdk/resources/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { JsonObject } from '../../messages/json.ts'
import type { AssistantPart, Message } from '../../messages/message.ts'
import { toolCallsOf } from '../../messages/reading.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import { anthropic } from './index.ts'

const MODEL = 'claude-sonnet-5'
let server: Server
let answer: { readonly type: string; readonly body: string }
let sent: { readonly messages: readonly { readonly role: string; readonly content: unknown }[] }
let model: ChatModel
let official: Anthropic

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    sent = JSON.parse(body) as typeof sent
    response.writeHead(200, { 'content-type': answer.type }).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  model = anthropic(MODEL, { apiKey: 'test-key', baseUrl: `${host}/v1`, retry: false })
  official = new Anthropic({ apiKey: 'test-key', baseURL: host, maxRetries: 0 })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

type Block = JsonObject & { readonly type: string }

/** A part as the block it came as. */
function blockOf(part: AssistantPart): unknown {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...part.providerOptions?.['anthropic'] }
    case 'tool-call': {
      const { id, name, arguments: text, providerData } = part
      const input = JSON.parse(text) as unknown
      return { type: 'tool_use', ...(providerData as object), id, name, input }
    }
    case 'reasoning':
      return part.providerData
    default:
      return part.type === 'provider' ? part.data : undefined
  }
}

function ours({ results, usage, id, model: name }: ChatResponse): object {
  const [generation] = results
  const parts = generation!.message.content as readonly AssistantPart[]
  const { inputTokens, outputTokens, cacheReadTokens } = usage
  return {
    id,
    model: name,
    content: parts.map(blockOf),
    ending: generation!.rawFinishReason,
    tokens: [inputTokens, outputTokens, cacheReadTokens],
  }
}

function theirs({ id, model: name, content, stop_reason: ending, usage }: TheirMessage): object {
  const tokens = [usage.input_tokens, usage.output_tokens, usage.cache_read_input_tokens]
  return { id, model: name, content, ending, tokens }
}

interface Fixture {
  readonly content: readonly Block[]
  readonly ending: string
}

const thinking: Block = {
  type: 'thinking',
  thinking: 'The user wants the weather. I have a tool.',
  signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pki',
}
const weather = (id: string, location: string): Block => ({
  type: 'tool_use',
  id,
  name: 'get_weather',
  input: { location, unit: 'celsius' },
})

const FIXTURES: { readonly [what: string]: Fixture } = {
  'a text': { content: [{ type: 'text', text: 'Hello 🎉! How can I help?' }], ending: 'end_turn' },
  'a text cut at the limit': { content: [{ type: 'text', text: 'Once' }], ending: 'max_tokens' },
  'a thought and a call': {
    content: [thinking, { type: 'text', text: 'Let me look.' }, weather('toolu_01A', 'Größe')],
    ending: 'tool_use',
  },
  'a hidden thought and parallel calls': {
    content: [
      { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix/LafPsn4a' },
      weather('toolu_01A', 'Paris'),
      weather('toolu_01B', 'London'),
    ],
    ending: 'tool_use',
  },
  'a call without arguments': {
    content: [{ type: 'tool_use', id: 'toolu_01A', name: 'now', input: {} }],
    ending: 'tool_use',
  },
  'a search that the provider made, with citations': {
    content: [
      { type: 'text', text: 'I will search.' },
      {
        type: 'server_tool_use',
        id: 'srvtoolu_01W',
        name: 'web_search',
        input: { query: 'claude shannon birth date' },
      },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_01W',
        content: [
          {
            type: 'web_search_result',
            url: 'https://example.org/shannon',
            title: 'Claude Shannon',
            encrypted_content: 'EqgfCioIARgBIiQ3YTAwMjY1Mi1mZj',
            page_age: 'April 30, 2025',
          },
        ],
      },
      {
        type: 'text',
        text: 'He was born on April 30, 1916.',
        citations: [
          {
            type: 'web_search_result_location',
            url: 'https://example.org/shannon',
            title: 'Claude Shannon',
            encrypted_index: 'Eo8BCioIAhgBIiQyYjQ0OWJmZi1lNm',
            cited_text: 'born April 30, 1916',
          },
        ],
      },
    ],
    ending: 'end_turn',
  },
  'a refusal': { content: [{ type: 'text', text: 'I cannot' }], ending: 'refusal' },
}

const envelope = { id: 'msg_01X', type: 'message', role: 'assistant', model: MODEL }
const counts = { input_tokens: 472, cache_read_input_tokens: 64 }

function wholeOf({ content, ending }: Fixture): string {
  const usage = { ...counts, output_tokens: 89 }
  return JSON.stringify({ ...envelope, content, stop_reason: ending, stop_sequence: null, usage })
}

const halves = (text: string): readonly string[] => {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

/** A block as it starts, and the deltas that make it whole. */
function piecesOf(block: Block): { readonly start: JsonObject; readonly deltas: JsonObject[] } {
  const text = (field: string): string => block[field] as string
  switch (block.type) {
    case 'text':
      return {
        start: { type: 'text', text: '', ...(block['citations'] && { citations: [] }) },
        deltas: [
          ...((block['citations'] ?? []) as JsonObject[]).map((citation) => ({
            type: 'citations_delta',
            citation,
          })),
          ...halves(text('text')).map((piece) => ({ type: 'text_delta', text: piece })),
        ],
      }
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...halves(text('thinking')).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
          { type: 'signature_delta', signature: text('signature') },
        ],
      }
    case 'tool_use':
    case 'server_tool_use': {
      const json = JSON.stringify(block['input'])
      const pieces = json === '{}' ? [''] : ['', ...halves(json)]
      return {
        start: { ...block, input: {} },
        deltas: pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      }
    }
    default:
      return { start: block, deltas: [] }
  }
}

function streamOf({ content, ending }: Fixture): string {
  const message = { ...envelope, content: [], stop_reason: null, stop_sequence: null }
  const blocks = content.flatMap((block, index) => {
    const { start, deltas } = piecesOf(block)
    return [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
  })
  const events = [
    { type: 'message_start', message: { ...message, usage: { ...counts, output_tokens: 1 } } },
    { type: 'ping' },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: ending, stop_sequence: null },
      usage: { output_tokens: 89 },
    },
    { type: 'message_stop' },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

const messages: readonly Message[] = [{ role: 'user', content: 'Hi' }]
const question = {
  model: MODEL,
  max_tokens: 1024,
  messages: [{ role: 'user' as const, content: 'Hi' }],
}

async function streamed(): Promise<ChatResponse> {
  let response: ChatResponse | undefined
  for await (const event of model.stream({ messages }))
    if (event.type === 'response') ({ response } = event)
  return response!
}

describe.each(Object.entries(FIXTURES))('%s', (_what, fixture) => {
  it('is the same message for us and the official client, whole', async () => {
    answer = { type: 'application/json', body: wholeOf(fixture) }
    const mine = ours(await model.call({ messages }))
    expect(mine).toEqual(theirs(await official.messages.create(question)))
    expect(mine).toMatchObject({ content: fixture.content, ending: fixture.ending })
  })

  it('is the same message for us and the official client, streamed', async () => {
    answer = { type: 'text/event-stream', body: streamOf(fixture) }
    const mine = ours(await streamed())
    expect(mine).toEqual(theirs(await official.messages.stream(question).finalMessage()))
    expect(mine).toMatchObject({ content: fixture.content, ending: fixture.ending })
  })

  it('goes back as the official client would send it', async () => {
    answer = { type: 'text/event-stream', body: streamOf(fixture) }
    const { message } = (await streamed()).results[0]!
    answer = { type: 'application/json', body: wholeOf(fixture) }
    const responses = toolCallsOf(message).map(({ id, name }) => ({ id, name, content: 'done' }))
    await model.call({ messages: [...messages, message, { role: 'tool', responses }] })
    expect(sent.messages[1]).toEqual({ role: 'assistant', content: fixture.content })
  })
})
