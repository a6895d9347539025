import { beforeAll, describe, expect, it } from 'vitest'
import { ModelResponseError, ProviderError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { Message } from '../../messages/message.ts'
import { toolCallsOf } from '../../messages/reading.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import type { Transport } from '../../ports/transport.ts'
import { anthropic } from './index.ts'
import {
  readInPieces,
  readStream,
  replyServer,
  type ReadStream,
  type Reply,
} from '../../../../../test/wire/reply-server.ts'

const KEY = 'test-key-0123456789'

const server = replyServer()
let baseUrl: string
let model: ChatModel

beforeAll(() => {
  baseUrl = `${server.origin}/v1/`
  model = anthropic('claude-test', { apiKey: KEY, baseUrl, retry: false })
})

const question: Message = { role: 'user', content: 'Hi' }
const prompt = { messages: [question] }

function sse(events: readonly JsonObject[]): string {
  return events
    .map((event) => `event: ${event['type'] as string}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
}

const read = (replying: Reply): Promise<ReadStream> => {
  server.reply = replying
  return readStream(model, prompt)
}
const readEvents = (events: readonly JsonObject[], end?: Reply['end']): ReturnType<typeof read> =>
  read({ chunks: [sse(events)], ...(end && { end }) })

async function answerOf(events: readonly JsonObject[]): Promise<ChatResponse> {
  const outcome = await readEvents(events)
  if (outcome.thrown !== undefined) throw outcome.thrown
  const last = outcome.events.at(-1)
  if (last?.type !== 'response') throw new Error('no response')
  return last.response
}
const callOf = (message: JsonObject): Promise<ChatResponse> => {
  server.reply = { type: 'application/json', chunks: [JSON.stringify(message)] }
  return model.call(prompt)
}
const contentOf = (response: ChatResponse): unknown => response.results[0]!.message.content

const message = (fields: JsonObject = {}): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test-1',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 3 },
  ...fields,
})
const start = (fields?: JsonObject): JsonObject => ({
  type: 'message_start',
  message: message(fields),
})
const open = (index: number, block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block: block,
})
const delta = (index: number, change: JsonObject): JsonObject => ({
  type: 'content_block_delta',
  index,
  delta: change,
})
const stop = (index: number): JsonObject => ({ type: 'content_block_stop', index })
const close = (reason: string, usage: JsonObject = { output_tokens: 20 }): JsonObject => ({
  type: 'message_delta',
  delta: { stop_reason: reason, stop_sequence: null },
  usage,
})
const end: JsonObject = { type: 'message_stop' }
const textDelta = (index: number, text: string): JsonObject =>
  delta(index, { type: 'text_delta', text })
const inputDelta = (index: number, text: string): JsonObject =>
  delta(index, { type: 'input_json_delta', partial_json: text })
const toolUse = (id: string, input: Json = {}): JsonObject => ({
  type: 'tool_use',
  id,
  name: 'weather',
  input,
})

const THINKING = { type: 'thinking', thinking: 'Oslo, then. 🌧', signature: 'EqQBCgIYAhIM+/8=' }
const BLOCKS = [
  THINKING,
  { type: 'text', text: 'I look it up: “été”.' },
  toolUse('toolu_1', { city: 'Tromsø 🌊' }),
]
const WHOLE = message({
  content: BLOCKS,
  stop_reason: 'tool_use',
  usage: { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 3 },
})
const STREAM = [
  start(),
  { type: 'ping' },
  open(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'Oslo, ' }),
  delta(0, { type: 'thinking_delta', thinking: 'then. 🌧' }),
  delta(0, { type: 'signature_delta', signature: THINKING.signature }),
  stop(0),
  open(1, { type: 'text', text: '' }),
  textDelta(1, 'I look it up: '),
  textDelta(1, '“été”.'),
  stop(1),
  open(2, toolUse('toolu_1')),
  inputDelta(2, ''),
  inputDelta(2, '{"city": "Tro'),
  inputDelta(2, 'msø 🌊"}'),
  stop(2),
  close('tool_use'),
  end,
]

describe('a whole answer', () => {
  it('is asked for with key and version, and read part by part', async () => {
    const response = await callOf(WHOLE)
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({
      url: '/v1/messages',
      headers: {
        'x-api-key': KEY,
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
      },
    })
    expect(response).toEqual({
      id: 'msg_1',
      model: 'claude-test-1',
      results: [
        {
          message: {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: THINKING.thinking, providerData: THINKING },
              { type: 'text', text: 'I look it up: “été”.' },
              {
                type: 'tool-call',
                id: 'toolu_1',
                name: 'weather',
                arguments: '{"city":"Tromsø 🌊"}',
              },
            ],
          },
          finishReason: 'tool-calls',
          rawFinishReason: 'tool_use',
          metadata: {},
        },
      ],
      usage: { inputTokens: 10, outputTokens: 20, cacheReadTokens: 3, totalTokens: 33 },
      metadata: { usage: WHOLE['usage'] },
    })
  })

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool-calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'other'],
    ['something_new', 'other'],
  ])('that ends with %s has the finish reason %s', async (raw, expected) => {
    const response = await callOf(message({ stop_reason: raw }))
    expect(response.results[0]).toMatchObject({ finishReason: expected, rawFinishReason: raw })
  })

  it('with calls is no final answer, even if it says so', async () => {
    const response = await callOf(
      message({ stop_reason: 'end_turn', content: [toolUse('toolu_1')] }),
    )
    expect(response.results[0]!.finishReason).toBe('tool-calls')
  })

  it('keeps everything else the provider said', async () => {
    const stop_details = { type: 'refusal', category: 'cyber' }
    const container = { id: 'container_1', expires_at: '2030-01-01T00:00:00Z' }
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      output_tokens_details: { thinking_tokens: 1 },
    }
    const response = await callOf(message({ stop_details, container, usage }))
    expect(response.metadata).toEqual({ stop_details, container, usage })
    expect(response.usage).toEqual({
      inputTokens: 1,
      outputTokens: 2,
      totalTokens: 3,
      reasoningTokens: 1,
    })
  })

  it('reads arguments of any shape as JSON text', async () => {
    const inputs: Json[] = [{}, null, '', '{"a":1}', { a: [1] }]
    const content = inputs.map((input, index) => toolUse(`toolu_${index}`, input))
    const calls = toolCallsOf(await callOf(message({ content })))
    expect(calls.map((call) => call.arguments)).toEqual(['{}', '{}', '{}', '{"a":1}', '{"a":[1]}'])
  })

  it.each([
    ['no message', { hello: 'world' }],
    ['a block without a type', message({ content: [{ text: 'x' }] })],
  ])('that is %s is refused', async (_what, body) => {
    await expect(callOf(body)).rejects.toMatchObject({ code: 'invalid-response' })
  })

  it('that is an error, with status 200 or without, rejects as one, and never shows the key', async () => {
    const error = { type: 'overloaded_error', message: `Overloaded, ${KEY}` }
    const body = JSON.stringify({ type: 'error', error })
    for (const [status, code] of [
      [200, 'provider-unavailable'],
      [529, 'provider-unavailable'],
      [401, 'provider-auth'],
    ] as const) {
      server.reply = { status, type: 'application/json', chunks: [body] }
      const thrown = await model.call(prompt).catch((failure: unknown) => failure)
      expect(thrown).toBeInstanceOf(ProviderError)
      expect(thrown).toMatchObject({ code, provider: 'anthropic', retryable: status !== 401 })
      const shown = thrown as ProviderError
      expect(`${shown.message} ${shown.body} ${JSON.stringify(shown)}`).not.toContain(KEY)
    }
  })
})

describe('a stream', () => {
  it('tells everything as it comes, and in the end the same as the whole answer', async () => {
    const { events } = await readEvents(STREAM)
    expect(JSON.parse(server.requests[0]!.body)).toMatchObject({ stream: true })
    const call = {
      type: 'tool-call',
      id: 'toolu_1',
      name: 'weather',
      arguments: '{"city": "Tromsø 🌊"}',
    }
    expect(events.slice(0, -1)).toEqual([
      { type: 'reasoning-delta', text: 'Oslo, ' },
      { type: 'reasoning-delta', text: 'then. 🌧' },
      {
        type: 'part',
        part: { type: 'reasoning', text: THINKING.thinking, providerData: THINKING },
      },
      { type: 'text-delta', text: 'I look it up: ' },
      { type: 'text-delta', text: '“été”.' },
      { type: 'tool-call-start', id: 'toolu_1', name: 'weather' },
      { type: 'tool-call-delta', id: 'toolu_1', delta: '{"city": "Tro' },
      { type: 'tool-call-delta', id: 'toolu_1', delta: 'msø 🌊"}' },
      { type: 'tool-call', toolCall: call },
    ])
    const whole = await callOf(WHOLE)
    const spaced = JSON.stringify(whole).replace('{\\"city\\":', '{\\"city\\": ')
    expect(events.at(-1)).toEqual({ type: 'response', response: JSON.parse(spaced) })
  })

  it('is the same however its bytes are cut', async () => {
    const bytes = new TextEncoder().encode(sse(STREAM))
    const { events: expected } = await read({ chunks: [bytes] })
    const again = (transport: Transport): Promise<ReadStream> =>
      readStream(
        anthropic('claude-test', { apiKey: KEY, baseUrl, retry: false, transport }),
        prompt,
      )
    for await (const [cut, found] of readInPieces(bytes, again))
      expect(found, cut).toEqual({ events: expected })
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await read({ chunks: single })).toEqual({ events: expected })
  })

  it('counts what a block brings along when it starts', async () => {
    const { events } = await readEvents([
      start(),
      open(0, { type: 'thinking', thinking: 'Hm' }),
      delta(0, { type: 'thinking_delta', thinking: 'm' }),
      stop(0),
      open(1, { type: 'text', text: 'A' }),
      textDelta(1, 'B'),
      stop(1),
      open(2, toolUse('toolu_1', { city: 'Oslo' })),
      stop(2),
      close('tool_use'),
      end,
    ])
    expect(events).toContainEqual({ type: 'reasoning-delta', text: 'Hm' })
    expect(events).toContainEqual({ type: 'text-delta', text: 'A' })
    const last = events.at(-1)
    expect(last?.type === 'response' && contentOf(last.response)).toEqual([
      { type: 'reasoning', text: 'Hmm', providerData: { type: 'thinking', thinking: 'Hmm' } },
      { type: 'text', text: 'AB' },
      { type: 'tool-call', id: 'toolu_1', name: 'weather', arguments: '{"city":"Oslo"}' },
    ])
  })

  it('counts blocks that the start of the message brings along', async () => {
    const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' }
    const { events } = await readEvents([
      start({ content: [{ ...toolUse('toolu_1', { city: 'Oslo' }), caller }] }),
      close('tool_use'),
      end,
    ])
    const toolCall = {
      type: 'tool-call',
      id: 'toolu_1',
      name: 'weather',
      arguments: '{"city":"Oslo"}',
      providerData: { type: 'tool_use', caller },
    }
    expect(events.slice(0, -1)).toEqual([
      { type: 'tool-call-start', id: 'toolu_1', name: 'weather' },
      { type: 'tool-call', toolCall },
    ])
    expect(events.at(-1)).toMatchObject({
      response: { results: [{ message: { content: [toolCall] } }] },
    })
  })

  it('assembles blocks it does not know as the API would have sent them whole', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search' }
    const citation = { type: 'web_search_result_location', url: 'https://example.org' }
    const response = await answerOf([
      start(),
      open(0, { ...search, input: {} }),
      inputDelta(0, '{"query":'),
      inputDelta(0, '"x"}'),
      stop(0),
      open(1, { type: 'compaction', content: null }),
      delta(1, { type: 'compaction_delta', content: 'Sum' }),
      delta(1, { type: 'compaction_delta', content: 'mary' }),
      stop(1),
      open(2, { citations: [], type: 'text', text: '' }),
      delta(2, { type: 'citations_delta', citation }),
      textDelta(2, 'Found.'),
      stop(2),
      open(3, { type: 'brand_new', log: '', items: [1] }),
      delta(3, { type: 'brand_new_delta', log: 'a', items: [2], size: 3 }),
      delta(3, { type: 'brand_new_delta', log: 'b', size: 4, items: null }),
      stop(3),
      { type: 'brand_new_event', anything: true },
      close('end_turn'),
      end,
    ])
    const provider = (data: JsonObject): JsonObject => ({
      type: 'provider',
      kind: data['type']!,
      data,
    })
    expect(contentOf(response)).toEqual([
      provider({ ...search, input: { query: 'x' } }),
      provider({ type: 'compaction', content: 'Summary' }),
      { type: 'text', text: 'Found.', providerOptions: { anthropic: { citations: [citation] } } },
      provider({ type: 'brand_new', log: 'ab', items: [1, 2], size: 4 }),
    ])
  })

  it('takes the newest of every count, and all else that the end of the message says', async () => {
    const context_management = { applied_edits: [] }
    const container = { id: 'container_1' }
    const response = await answerOf([
      start({ usage: { input_tokens: 10, output_tokens: 1, service_tier: 'standard' } }),
      { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 5 } },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', container },
        usage: { input_tokens: 30, output_tokens: 9, cache_creation_input_tokens: 4 },
        context_management,
      },
      end,
    ])
    expect(response.usage).toEqual({
      inputTokens: 30,
      outputTokens: 9,
      cacheWriteTokens: 4,
      totalTokens: 43,
    })
    expect(response.metadata).toMatchObject({
      context_management,
      container,
      usage: { service_tier: 'standard' },
    })
  })

  it('emits complete parts in the order of the message, also when blocks overlap', async () => {
    const { events } = await readEvents([
      start(),
      open(0, toolUse('toolu_a')),
      open(1, toolUse('toolu_b')),
      inputDelta(1, '{"b":'),
      inputDelta(0, '{"a":'),
      inputDelta(1, '2}'),
      stop(1),
      inputDelta(0, '1}'),
      stop(0),
      close('tool_use'),
      end,
    ])
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.toolCall] : []))
    expect(calls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"b":2}'])
  })

  it('joins arguments of 256 kB in pieces of 20 bytes', async () => {
    const args = JSON.stringify({ text: 'x'.repeat(256 * 1024) })
    const pieces = args.match(/.{1,20}/g)!.map((piece) => inputDelta(0, piece))
    const response = await answerOf([
      start(),
      open(0, toolUse('a')),
      ...pieces,
      stop(0),
      close('tool_use'),
      end,
    ])
    expect(toolCallsOf(response)[0]!.arguments).toBe(args)
  })

  it('ignores a repeated start of the same message and what comes after its end', async () => {
    const again = [...STREAM.slice(0, 9), start(), ...STREAM.slice(9)]
    const after = [close('end_turn'), open(3, toolUse('late')), stop(3), start({ id: 'msg_2' })]
    const expected = await readEvents(STREAM)
    expect(await readEvents([...again, ...after])).toEqual(expected)
  })

  it('ignores the start of a block that comes twice', async () => {
    const expected = await readEvents(STREAM)
    const doubled = STREAM.flatMap((event) =>
      (event as { type?: string }).type === 'content_block_start' ? [event, event] : [event],
    )
    expect(doubled.length).toBeGreaterThan(STREAM.length)
    expect(await readEvents(doubled)).toEqual(expected)
  })

  it('may be answered in one piece', async () => {
    const body = JSON.stringify(WHOLE)
    const { events } = await read({ type: 'application/json', chunks: [body] })
    const whole = await callOf(WHOLE)
    expect(events.at(-1)).toEqual({ type: 'response', response: whole })
    expect(events.slice(0, -1).map((event) => event.type)).toEqual([
      'reasoning-delta',
      'part',
      'text-delta',
      'tool-call-start',
      'tool-call',
    ])
  })

  it('needs no message_stop once the stop reason is there, however the connection ends', async () => {
    const expected = await readEvents(STREAM)
    const withoutEnd = STREAM.slice(0, -1)
    expect(await readEvents(withoutEnd)).toEqual(expected)
    expect(await readEvents(withoutEnd, 'reset')).toEqual(expected)
    expect(await readEvents(STREAM, 'hold')).toEqual(expected)
  })
})

it('closes the connection of a stream that nobody reads to its end', async () => {
  server.reply = { chunks: [sse(STREAM.slice(0, 9))], end: 'hold' }
  for await (const event of model.stream(prompt)) {
    expect(event.type).toBe('reasoning-delta')
    break
  }
  await server.closed
})

describe('a stream that goes wrong', () => {
  const callsIn = (events: readonly ChatEvent[]): number =>
    events.filter((event) => event.type === 'tool-call' || event.type === 'response').length

  it.each([
    ['properly', undefined],
    ['broken', 'reset'],
  ] as const)(
    'by ending early (%s) is incomplete at every event, and no cut call becomes a whole one',
    async (_how, ending) => {
      for (let length = 1; length < STREAM.length - 2; length++) {
        const { events, thrown } = await readEvents(STREAM.slice(0, length), ending)
        expect(thrown).toBeInstanceOf(ModelResponseError)
        expect(thrown).toMatchObject({ code: 'incomplete-stream', retryable: true })
        expect(events.filter((event) => event.type === 'response')).toEqual([])
        if (length < 16) expect(callsIn(events)).toBe(0)
      }
    },
  )

  it('carries the text that did arrive, and names the call that was cut', async () => {
    const { thrown } = await readEvents(STREAM.slice(0, 14))
    expect(thrown).toMatchObject({ partial: 'I look it up: “été”.' })
    expect((thrown as Error).message).toContain('"weather"')
  })

  it('by a message_stop without a stop reason is incomplete', async () => {
    const { events, thrown } = await readEvents([...STREAM.slice(0, -2), end])
    expect(thrown).toMatchObject({ code: 'incomplete-stream' })
    expect(events.filter((event) => event.type === 'response')).toEqual([])
  })

  it('by a stop reason inside an open call is incomplete', async () => {
    const { events, thrown } = await readEvents([...STREAM.slice(0, 14), close('tool_use'), end])
    expect(thrown).toMatchObject({ code: 'incomplete-stream' })
    expect(callsIn(events)).toBe(0)
  })

  it('by a lost stop event of text loses nothing', async () => {
    const response = await answerOf([
      start(),
      open(0, { type: 'text', text: 'A' }),
      close('end_turn'),
      end,
    ])
    expect(contentOf(response)).toEqual([{ type: 'text', text: 'A' }])
  })

  it.each([
    [
      'another message inside an open one',
      [...STREAM.slice(0, 14), start({ id: 'msg_2' }), ...STREAM.slice(2)],
    ],
    [
      'another message between two blocks',
      [...STREAM.slice(0, 11), start({ id: 'msg_2' }), ...STREAM.slice(-2)],
    ],
    [
      'a block inside an open one',
      [start(), open(0, toolUse('a')), open(0, toolUse('b')), stop(0), close('tool_use'), end],
    ],
    ['a delta of no block', [start(), inputDelta(0, '{}'), close('tool_use'), end]],
    ['a block without a type', [start(), open(0, {}), close('tool_use'), end]],
  ])('by %s is refused', async (_what, events) => {
    const outcome = await readEvents(events)
    expect(outcome.thrown).toMatchObject({ code: 'invalid-response' })
    expect(callsIn(outcome.events)).toBe(0)
  })

  it('by data that is no JSON is refused, naming the place', async () => {
    const { events, thrown } = await read({
      chunks: [sse(STREAM.slice(0, 9)), 'data: {"type":\n\n', sse(STREAM.slice(9))],
    })
    expect(thrown).toMatchObject({ code: 'invalid-response' })
    expect((thrown as Error).message).toContain('Event 10')
    expect(callsIn(events)).toBe(0)
  })

  it.each([
    ['overloaded_error', 'provider-unavailable', true],
    ['rate_limit_error', 'provider-rate-limit', true],
    ['invalid_request_error', 'provider-rejected', false],
  ])('by an error event of type %s rejects with %s', async (type, code, retryable) => {
    const error = { type, message: `Sorry, ${KEY}` }
    for (const event of [
      `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`,
      `data: ${JSON.stringify({ error })}\n\n`,
    ]) {
      const { events, thrown } = await read({ chunks: [sse(STREAM.slice(0, 9)), event] })
      expect(thrown).toMatchObject({
        name: 'ProviderError',
        code,
        retryable,
        provider: 'anthropic',
      })
      expect((thrown as Error).message).not.toContain(KEY)
      expect(events.at(-1)).toEqual({ type: 'text-delta', text: 'I look it up: ' })
    }
  })

  it('by a web page is refused', async () => {
    const { thrown } = await read({ type: 'text/html', chunks: ['<!doctype html><p>Bad gateway'] })
    expect(thrown).toMatchObject({ code: 'invalid-response' })
  })

  it('by JSON that is no message is refused', async () => {
    const { thrown } = await read({
      type: 'application/json',
      chunks: ['{"stop_reason":"end_turn"}'],
    })
    expect(thrown).toMatchObject({ code: 'invalid-response' })
  })

  it('by silence ends at once when it is aborted, with the reason given', async () => {
    server.reply = { chunks: [sse(STREAM.slice(0, 9))], end: 'hold' }
    const controller = new AbortController()
    const reason = new Error('enough')
    const reading = (async () => {
      for await (const event of model.stream(prompt, { signal: controller.signal })) {
        if (event.type === 'text-delta') controller.abort(reason)
      }
    })()
    await expect(reading).rejects.toBe(reason)
  })
})

describe('the next question', () => {
  it('has signed thinking between calls byte for byte where it was', async () => {
    const blocks = [
      THINKING,
      toolUse('toolu_1', { city: 'Oslo' }),
      { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix/LafPsn4=' },
      { type: 'thinking', signature: 'first', thinking: 'Keys in another order.', extra: null },
      toolUse('toolu_2', { city: 'Bergen' }),
    ]
    const answer = await callOf(message({ content: blocks, stop_reason: 'tool_use' }))
    const responses = toolCallsOf(answer).map(({ id, name }) => ({ id, name, content: 'rain' }))
    const answered = answer.results[0]!.message
    expect(answered.content).toContainEqual({
      type: 'reasoning',
      text: '',
      providerData: blocks[2],
    })
    await model.call({ messages: [question, answered, { role: 'tool', responses }] })
    expect(server.requests[1]!.body).toContain(
      `{"role":"assistant","content":${JSON.stringify(blocks)}}`,
    )
  })
})

describe('settings', () => {
  it('are checked when the model is made', () => {
    const before = process.env['ANTHROPIC_API_KEY']
    delete process.env['ANTHROPIC_API_KEY']
    try {
      expect(() => anthropic('claude-test')).toThrow(/ANTHROPIC_API_KEY/)
      process.env['ANTHROPIC_API_KEY'] = KEY
      expect(JSON.stringify(anthropic('claude-test'))).not.toContain(KEY)
    } finally {
      delete process.env['ANTHROPIC_API_KEY']
      if (before !== undefined) process.env['ANTHROPIC_API_KEY'] = before
    }
    const misspelt = { apiKey: KEY, baseURL: 'x' }
    expect(() => anthropic('claude-test', misspelt)).toThrow(/baseURL.*baseUrl/s)
  })

  it('say what the model can do', () => {
    expect(model).toMatchObject({
      provider: 'anthropic',
      model: 'claude-test',
      capabilities: {
        tools: true,
        structuredOutput: true,
        parallelOff: true,
        reasoning: true,
        media: true,
      },
    })
  })
})
