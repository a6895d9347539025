/** Answers of the Responses API over real HTTP: whole, streamed, odd, broken and refused. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ModelResponseError, ProviderError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart, Message } from '../../messages/message.ts'
import { textOf, toolCallsOf } from '../../messages/reading.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import type { Transport, TransportRequest } from '../../ports/transport.ts'
import { openai, type OpenAiOptions } from './index.ts'
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
  model = openai('gpt-test', { apiKey: KEY, baseUrl, retry: false })
})

const question: Message = { role: 'user', content: 'Hi' }
const prompt = { messages: [question] }

const sse = (events: readonly JsonObject[]): string =>
  events
    .map((event) => `event: ${event['type'] as string}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')

const read = (replying: Reply): Promise<ReadStream> => {
  server.reply = replying
  return readStream(model, prompt)
}
const readEvents = (events: readonly JsonObject[], end?: Reply['end']): ReturnType<typeof read> =>
  read({ chunks: [sse(events)], ...(end && { end }) })

function responseIn(events: readonly ChatEvent[]): ChatResponse {
  const last = events.at(-1)
  if (last?.type !== 'response') throw new Error('no response')
  return last.response
}
async function answerOf(events: readonly JsonObject[]): Promise<ChatResponse> {
  const outcome = await readEvents(events)
  if (outcome.thrown !== undefined) throw outcome.thrown
  return responseIn(outcome.events)
}
const callOf = (response: JsonObject): Promise<ChatResponse> => {
  server.reply = { type: 'application/json', chunks: [JSON.stringify(response)] }
  return model.call(prompt)
}
const contentOf = (response: ChatResponse): readonly AssistantPart[] =>
  response.results[0]!.message.content as readonly AssistantPart[]

const REASONING = {
  id: 'rs_1',
  type: 'reasoning',
  encrypted_content: 'gAAAAABo',
  summary: [
    { type: 'summary_text', text: 'Oslo, then. 🌧' },
    { type: 'summary_text', text: 'A call.' },
  ],
}
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  phase: 'commentary',
  role: 'assistant',
  content: [{ type: 'output_text', annotations: [], text: 'I look it up: “été”.' }],
}
const CALL = {
  id: 'fc_1',
  type: 'function_call',
  status: 'completed',
  arguments: '{"city": "Tromsø 🌊"}',
  call_id: 'call_1',
  name: 'weather',
}
const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 30,
}
const whole = (output: readonly Json[], fields: JsonObject = {}): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'gpt-test-1',
  error: null,
  incomplete_details: null,
  tools: [{ type: 'function', name: 'weather' }],
  instructions: 'Be brief.',
  output,
  usage: USAGE,
  ...fields,
})
const WHOLE = whole([REASONING, MESSAGE, CALL])

const begun = { ...whole([]), status: 'in_progress', usage: null }
const start: JsonObject = { type: 'response.created', response: begun }
const added = (index: number, item: JsonObject): JsonObject => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
})
const done = (index: number, item: JsonObject): JsonObject => ({
  type: 'response.output_item.done',
  output_index: index,
  item,
})
const completed = (output: readonly Json[], fields?: JsonObject): JsonObject => ({
  type: 'response.completed',
  response: whole(output, fields),
})
const at = (index: number, id: string, rest: JsonObject): JsonObject => ({
  ...rest,
  item_id: id,
  output_index: index,
})
const textDelta = (index: number, delta: string): JsonObject =>
  at(index, 'msg_1', { type: 'response.output_text.delta', content_index: 0, delta })
const inputDelta = (index: number, delta: string, id = 'fc_1'): JsonObject =>
  at(index, id, { type: 'response.function_call_arguments.delta', delta })
const summary = (kind: string, index: number, rest: JsonObject): JsonObject =>
  at(0, 'rs_1', { type: `response.reasoning_summary_${kind}`, summary_index: index, ...rest })

const openCall = { ...CALL, status: 'in_progress', arguments: '' }
const openMessage = { ...MESSAGE, status: 'in_progress', content: [] }
const STREAM: readonly JsonObject[] = [
  start,
  { type: 'response.in_progress', response: begun },
  added(0, { ...REASONING, encrypted_content: '', summary: [] }),
  summary('part.added', 0, { part: { type: 'summary_text', text: '' } }),
  summary('text.delta', 0, { delta: 'Oslo, ' }),
  summary('text.delta', 0, { delta: 'then. 🌧' }),
  summary('text.done', 0, { text: 'Oslo, then. 🌧' }),
  summary('part.done', 0, { part: REASONING.summary[0]! }),
  summary('part.added', 1, { part: { type: 'summary_text', text: '' } }),
  summary('text.delta', 1, { delta: 'A call.' }),
  done(0, REASONING),
  added(1, openMessage),
  at(1, 'msg_1', {
    type: 'response.content_part.added',
    content_index: 0,
    part: { type: 'output_text', annotations: [], text: '' },
  }),
  textDelta(1, 'I look it up: '),
  textDelta(1, '“été”.'),
  at(1, 'msg_1', {
    type: 'response.output_text.done',
    content_index: 0,
    text: 'I look it up: “été”.',
  }),
  done(1, MESSAGE),
  added(2, openCall),
  inputDelta(2, '{"city": "Tro'),
  inputDelta(2, 'msø 🌊"}'),
  at(2, 'fc_1', { type: 'response.function_call_arguments.done', arguments: CALL.arguments }),
  done(2, CALL),
  completed([REASONING, MESSAGE, CALL]),
]

const ANSWER: ChatResponse = {
  id: 'resp_1',
  model: 'gpt-test-1',
  results: [
    {
      message: {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Oslo, then. 🌧\n\nA call.', providerData: REASONING },
          {
            type: 'text',
            text: 'I look it up: “été”.',
            providerOptions: {
              openai: { message: { id: 'msg_1', status: 'completed', phase: 'commentary' } },
            },
          },
          {
            type: 'tool-call',
            id: 'call_1',
            name: 'weather',
            arguments: CALL.arguments,
            providerData: { id: 'fc_1', type: 'function_call', status: 'completed' },
          },
        ],
      },
      finishReason: 'tool-calls',
      rawFinishReason: 'completed',
      metadata: {},
    },
  ],
  usage: {
    inputTokens: 10,
    outputTokens: 20,
    totalTokens: 30,
    cacheReadTokens: 3,
    cacheWriteTokens: 2,
    reasoningTokens: 5,
  },
  metadata: { created_at: 1, usage: USAGE },
}

describe('a whole answer', () => {
  it('is asked for with its key, and read part by part', async () => {
    expect(await callOf(WHOLE)).toEqual(ANSWER)
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({
      url: '/v1/responses',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    })
  })

  it.each<[string, JsonObject, readonly [string, string]]>([
    ['a message', {}, ['stop', 'completed']],
    ['nothing said about its end', { status: null }, ['stop', 'completed']],
    ['the token limit', incomplete('max_output_tokens'), ['length', 'max_output_tokens']],
    ['a filter', incomplete('content_filter'), ['content-filter', 'content_filter']],
    ['something new', incomplete('boredom'), ['other', 'boredom']],
    ['no reason', { status: 'incomplete' }, ['other', 'incomplete']],
    ['work in the background', { status: 'queued' }, ['other', 'queued']],
  ])('that ends with %s says so', async (_what, fields, [finishReason, rawFinishReason]) => {
    const response = await callOf(whole([MESSAGE], fields))
    expect(response.results[0]).toMatchObject({ finishReason, rawFinishReason })
  })

  it('with a refusal is one, and keeps it in its message', async () => {
    const refusal = { type: 'refusal', refusal: 'I will not.' }
    const item = { ...MESSAGE, content: [...MESSAGE.content, refusal] }
    const response = await callOf(whole([item]))
    expect(response.results[0]).toMatchObject({ finishReason: 'content-filter' })
    expect(contentOf(response)[1]).toEqual({
      type: 'provider',
      kind: 'refusal',
      data: refusal,
      providerOptions: {
        openai: { message: { id: 'msg_1', status: 'completed', phase: 'commentary' } },
      },
    })
    const stream = [
      start,
      added(0, { ...item, content: [] }),
      at(0, 'msg_1', { type: 'response.refusal.delta', content_index: 1, delta: 'I will' }),
      at(0, 'msg_1', { type: 'response.refusal.done', content_index: 1, refusal: 'I will not.' }),
    ]
    // Without a whole item only the pieces are there.
    const streamed = await answerOf([...stream, completed([])])
    expect(contentOf(streamed)).toMatchObject([
      { type: 'provider', kind: 'refusal', data: refusal },
    ])
    expect(await answerOf([start, done(0, item), completed([item])])).toEqual(response)
  })

  it('shows annotations with the text, logprobs beside it, and keeps what it does not know', async () => {
    const annotations = [{ type: 'url_citation', url: 'https://x' }]
    const logprobs = [{ token: 'Hi', logprob: 0 }]
    const content: Json[] = [
      { type: 'output_text', text: 'Hi', annotations, logprobs },
      { type: 'output_hologram', data: 'x' },
    ]
    const search = { id: 'ws_1', type: 'web_search_call', status: 'completed' }
    const response = await callOf(whole([search, { ...MESSAGE, content }, { type: 'new_call' }]))
    const message = { id: 'msg_1', status: 'completed', phase: 'commentary' }
    expect(contentOf(response)).toEqual([
      { type: 'provider', kind: 'web_search_call', data: search },
      { type: 'text', text: 'Hi', providerOptions: { openai: { message, annotations } } },
      {
        type: 'provider',
        kind: 'output_hologram',
        data: content[1],
        providerOptions: { openai: { message } },
      },
      { type: 'provider', kind: 'new_call', data: { type: 'new_call' } },
    ])
    expect(response.results[0]!.metadata).toEqual({ logprobs })
  })

  it('reads what other servers send: arguments of any shape, missing ids, bare texts', async () => {
    const inputs: Json[] = ['', {}, null, '{"a":1}', { a: [1] }]
    const calls = inputs.map((input, index) => ({
      ...CALL,
      call_id: `c${index}`,
      arguments: input,
    }))
    const response = await callOf(
      whole([
        ...calls,
        { type: 'function_call', id: 'only_id', name: 'weather', arguments: '{}' },
        { role: 'assistant', content: 'Hello ' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ text: 'you' }, { type: 'text', text: '!' }],
        },
      ]),
    )
    const found = toolCallsOf(response)
    expect(found.map((call) => call.arguments)).toEqual([
      '{}',
      '{}',
      '{}',
      '{"a":1}',
      '{"a":[1]}',
      '{}',
    ])
    expect(found.at(-1)!.id).toBe('only_id')
    expect(textOf(response)).toBe('Hello you!')
  })

  it('keeps an empty message, which its thought needs', async () => {
    const empty = { id: 'msg_1', type: 'message', role: 'assistant', content: [] }
    const response = await callOf(whole([REASONING, empty]))
    await model.call({ messages: [question, response.results[0]!.message] })
    const { input } = JSON.parse(server.requests[1]!.body)
    expect(input.slice(1)).toMatchObject([{ id: 'rs_1' }, { type: 'message', id: 'msg_1' }])
  })

  it.each([
    ['no response', { hello: 'world' }],
    ['an item without a type', whole([{ text: 'x' }])],
    ['an item that is none', whole([7])],
  ])('that is %s is refused', async (_what, body) => {
    await expect(callOf(body)).rejects.toMatchObject({ code: 'invalid-response' })
  })

  it('that failed rejects, whatever its status', async () => {
    const error = { code: 'server_error', message: `Sorry, ${KEY}` }
    const thrown = await callOf(whole([], { status: 'failed', error })).catch((x: unknown) => x)
    expect(thrown).toMatchObject({ code: 'provider-unavailable', retryable: true })
    expect(JSON.stringify(thrown) + (thrown as Error).message).not.toContain(KEY)
  })
})

function incomplete(reason: string): JsonObject {
  return { status: 'incomplete', incomplete_details: { reason } }
}

describe('a stream', () => {
  it('tells everything as it comes, and in the end the same as the whole answer', async () => {
    const { events } = await readEvents(STREAM)
    expect(JSON.parse(server.requests[0]!.body)).toMatchObject({ stream: true })
    const [reasoning, , call] = contentOf(ANSWER)
    expect(events).toEqual([
      { type: 'reasoning-delta', text: 'Oslo, ' },
      { type: 'reasoning-delta', text: 'then. 🌧' },
      { type: 'reasoning-delta', text: '\n\n' },
      { type: 'reasoning-delta', text: 'A call.' },
      { type: 'part', part: reasoning },
      { type: 'text-delta', text: 'I look it up: ' },
      { type: 'text-delta', text: '“été”.' },
      { type: 'tool-call-start', id: 'call_1', name: 'weather' },
      { type: 'tool-call-delta', id: 'call_1', delta: '{"city": "Tro' },
      { type: 'tool-call-delta', id: 'call_1', delta: 'msø 🌊"}' },
      { type: 'tool-call', toolCall: call },
      { type: 'response', response: ANSWER },
    ])
  })

  it('is the same however its bytes are cut', async () => {
    const bytes = new TextEncoder().encode(sse(STREAM))
    const { events: expected } = await read({ chunks: [bytes] })
    const again = (transport: Transport): Promise<ReadStream> =>
      readStream(openai('gpt-test', { apiKey: KEY, baseUrl, retry: false, transport }), prompt)
    for await (const [cut, found] of readInPieces(bytes, again))
      expect(found, cut).toEqual({ events: expected })
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await read({ chunks: single })).toEqual({ events: expected })
  })

  it('may be answered in one piece', async () => {
    const { events } = await read({ type: 'application/json', chunks: [JSON.stringify(WHOLE)] })
    expect(responseIn(events)).toEqual(ANSWER)
  })

  it('may name its events in the frames alone', async () => {
    const frames = STREAM.map(
      ({ type, ...rest }) => `event: ${type}\ndata: ${JSON.stringify(rest)}`,
    )
    const { events } = await read({ chunks: [`${frames.join('\n\n')}\n\n`] })
    expect(responseIn(events)).toEqual(ANSWER)
  })

  it('needs nothing after its end, however the connection ends', async () => {
    const expected = await readEvents(STREAM)
    expect(await readEvents(STREAM, 'reset')).toEqual(expected)
    expect(await readEvents(STREAM, 'hold')).toEqual(expected)
    const late = [added(3, { ...CALL, id: 'fc_9', call_id: 'late' }), completed([CALL])]
    expect(await readEvents([...STREAM, ...late])).toEqual(expected)
  })

  it('is incomplete for its reason when the tokens ran out', async () => {
    const response = await answerOf([
      ...STREAM.slice(0, 15),
      { type: 'response.incomplete', response: whole([], incomplete('max_output_tokens')) },
    ])
    expect(response.results[0]).toMatchObject({
      finishReason: 'length',
      rawFinishReason: 'max_output_tokens',
    })
    expect(textOf(response)).toBe('I look it up: “été”.')
    const bare = await answerOf([start, { type: 'response.incomplete' }])
    expect(bare.results[0]).toMatchObject({ finishReason: 'other', rawFinishReason: 'incomplete' })
  })

  it('assembles the inputs of the tools that the provider runs, and keeps what it does not know', async () => {
    const inputs = [
      ['custom_tool_call', 'custom_tool_call_input', 'input'],
      ['mcp_call', 'mcp_call_arguments', 'arguments'],
      ['code_interpreter_call', 'code_interpreter_call_code', 'code'],
    ] as const
    const events = inputs.flatMap(([type, name, field], index) => [
      added(index, { id: `x_${index}`, type }),
      at(index, `x_${index}`, { type: `response.${name}.delta`, delta: 'a' }),
      at(index, `x_${index}`, { type: `response.${name}.delta`, delta: 'b' }),
      ...(index === 0
        ? [at(index, `x_${index}`, { type: `response.${name}.done`, [field]: 'abc' })]
        : []),
    ])
    const response = await answerOf([
      start,
      ...events,
      { type: 'response.brand_new.happened', item_id: 'x_0', delta: 'z' },
      { type: 'response.image_generation_call.partial_image', output_index: 0 },
      added(3, { type: 'brand_new', id: 'n_1' }),
      done(3, { type: 'brand_new', id: 'n_1', data: [1] }),
      completed([]),
    ])
    expect(contentOf(response).map((part) => part.type === 'provider' && part.data)).toEqual([
      { id: 'x_0', type: 'custom_tool_call', input: 'abc' },
      { id: 'x_1', type: 'mcp_call', arguments: 'ab' },
      { id: 'x_2', type: 'code_interpreter_call', code: 'ab' },
      { type: 'brand_new', id: 'n_1', data: [1] },
    ])
  })

  it('joins arguments of 256 kB in pieces of 20 bytes', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(256 * 1024) })
    const pieces = text.match(/.{1,20}/g)!.map((piece) => inputDelta(0, piece))
    const response = await answerOf([start, added(0, openCall), ...pieces, completed([])])
    expect(toolCallsOf(response)[0]!.arguments).toBe(text)
  })

  it('closes its connection when nobody reads to its end', async () => {
    server.reply = { chunks: [sse(STREAM.slice(0, 9))], end: 'hold' }
    for await (const event of model.stream(prompt)) {
      expect(event.type).toBe('reasoning-delta')
      break
    }
    await server.closed
  })
})

describe('a stream of an odd server', () => {
  const told = (events: readonly ChatEvent[]): string =>
    events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
  const shown = (events: readonly ChatEvent[]): string =>
    events.map((event) => (event.type === 'tool-call-delta' ? event.delta : '')).join('')

  const kindOf = ({ type }: JsonObject): string => type as string
  const without = (pattern: RegExp): readonly JsonObject[] =>
    STREAM.filter((event) => !pattern.test(kindOf(event)))
  const listless = (events: readonly JsonObject[]): readonly JsonObject[] => [
    ...events.slice(0, -1),
    completed([]),
  ]
  /** Another id in every event, as a gateway sends them. */
  const rotating = STREAM.map((event, index) => {
    const id = `rotated-${index}`
    const item = event['item'] as JsonObject | undefined
    if (item) return { ...event, item: { ...item, id } }
    return 'item_id' in event ? { ...event, item_id: id } : event
  })

  const same: Record<string, readonly JsonObject[]> = {
    'sends no deltas': without(/delta$/),
    'sends nothing but whole items': without(/delta$|_text\.done|_part|arguments/),
    'sends nothing but the end': STREAM.slice(-1),
    'never ends an item': without(/item\.done/),
    'never starts an item': without(/item\.added/),
    'lists nothing at the end': listless(STREAM),
    'lists nothing, and sends no deltas': listless(without(/delta$/)),
    'starts everything twice': STREAM.flatMap((event) => [event, event]).filter(
      (event, index) => !/delta$/.test(kindOf(event)) || index % 2 === 0,
    ),
    'leaves gaps in its indexes': STREAM.map((event) =>
      'output_index' in event
        ? { ...event, output_index: (event['output_index'] as number) * 1e9 + 7 }
        : event,
    ),
    'gives every item the same index': STREAM.map((event) =>
      'output_index' in event ? { ...event, output_index: 0 } : event,
    ),
    'gives no index': STREAM.map(({ output_index: _index, ...event }) => event as JsonObject),
    'gives content indexes from one': STREAM.map((event) =>
      'content_index' in event ? { ...event, content_index: 1 } : event,
    ),
    'sends blank ids with its pieces': STREAM.map((event) =>
      'item_id' in event ? { ...event, item_id: '' } : event,
    ),
    'repeats the state of the beginning at its end': [
      ...STREAM.slice(0, -1),
      completed([REASONING, MESSAGE, CALL], { status: 'in_progress' }),
    ],
    'adds an end marker': STREAM,
  }
  it.each(Object.keys(same))('that %s is read all the same', async (name) => {
    const { events, thrown } = await read({
      chunks: [sse(same[name]!), ...(name.endsWith('marker') ? ['data: [DONE]\n\n'] : [])],
    })
    expect(thrown).toBeUndefined()
    expect(responseIn(events)).toEqual(ANSWER)
    expect(told(events)).toBe('I look it up: “été”.')
    expect(shown(events)).toBe(CALL.arguments)
    const starts = events.filter((event) => event.type === 'tool-call-start')
    expect(starts).toEqual([{ type: 'tool-call-start', id: 'call_1', name: 'weather' }])
  })

  it.each([
    ['whole items', rotating],
    ['no list', listless(rotating)],
    ['no ends', rotating.filter((event) => !/item\.done/.test(kindOf(event)))],
  ])('that changes its ids between events is read all the same (%s)', async (_what, events) => {
    const outcome = await readEvents(events)
    const response = responseIn(outcome.events)
    expect(contentOf(response).map((part) => part.type)).toEqual(['reasoning', 'text', 'tool-call'])
    expect(toolCallsOf(response)[0]).toMatchObject({ id: 'call_1', arguments: CALL.arguments })
    expect(told(outcome.events)).toBe(textOf(response))
  })

  it('tells calls side by side apart, by id or by index, and in the order they began', async () => {
    const second = { ...openCall, id: 'fc_2', call_id: 'call_2' }
    for (const [a, b, one] of [
      ['fc_1', 'fc_2', 1],
      ['fc_1', 'fc_2', 0],
      ['', '', 1],
    ] as const) {
      const { events } = await readEvents([
        start,
        added(0, openCall),
        added(one, second),
        inputDelta(one, '{"b":', b),
        inputDelta(0, '{"a":', a),
        inputDelta(one, '2}', b),
        done(one, { ...second, arguments: '{"b":2}' }),
        inputDelta(0, '1}', a),
        done(0, { ...openCall, arguments: '{"a":1}' }),
        completed([]),
      ])
      const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.toolCall] : []))
      expect(calls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"b":2}'])
    }
  })

  it('tells two messages apart that have no index and no end', async () => {
    const { output_index: _one, ...first } = added(0, openMessage)
    const { output_index: _two, ...second } = added(0, { ...openMessage, id: 'msg_2' })
    const delta = (id: string, text: string): JsonObject => ({
      type: 'response.output_text.delta',
      item_id: id,
      content_index: 0,
      delta: text,
    })
    const response = await answerOf([
      start,
      first as JsonObject,
      delta('msg_1', 'One. '),
      second as JsonObject,
      delta('msg_2', 'Two.'),
      completed([]),
    ])
    expect(contentOf(response).map((part) => part.type === 'text' && part.text)).toEqual([
      'One. ',
      'Two.',
    ])
  })

  it('takes a call without arguments for one without parameters', async () => {
    const response = await answerOf([start, added(0, openCall), done(0, openCall), completed([])])
    expect(toolCallsOf(response)[0]).toMatchObject({ id: 'call_1', arguments: '{}' })
  })

  it('waits for the id and the name of a call', async () => {
    const { id: _id, call_id: _callId, name: _name, ...nameless } = openCall
    const { events } = await readEvents([
      start,
      added(0, { ...nameless, id: 'fc_1' }),
      inputDelta(0, '{"city":'),
      at(0, 'fc_1', {
        type: 'response.function_call_arguments.done',
        arguments: '{"city":1}',
      }),
      done(0, { ...CALL, arguments: '{"city":1}' }),
      completed([]),
    ])
    expect(events.slice(0, -1)).toMatchObject([
      { type: 'tool-call-start', id: 'call_1', name: 'weather' },
      { type: 'tool-call-delta', delta: '{"city":1}' },
      { type: 'tool-call', toolCall: { id: 'call_1', arguments: '{"city":1}' } },
    ])
  })

  it('keeps the id under which a call was told', async () => {
    const changed = { ...CALL, call_id: 'call_other' }
    const { events } = await readEvents([
      start,
      added(0, openCall),
      inputDelta(0, CALL.arguments),
      done(0, changed),
      completed([changed]),
    ])
    expect(toolCallsOf(responseIn(events)).map((call) => call.id)).toEqual(['call_1'])
  })

  it('adds what only the end lists, and never a call twice', async () => {
    const other = { ...CALL, id: 'fc_2', call_id: 'call_2' }
    const end = completed([REASONING, MESSAGE, CALL, other])
    const response = await answerOf([...STREAM.slice(0, -1), end])
    expect(toolCallsOf(response).map((call) => call.id)).toEqual(['call_1', 'call_2'])
    const rotated = [other, CALL].map((call, index) => ({ ...call, id: `rotated-${index}` }))
    const found = await answerOf([...STREAM.slice(0, -1), completed(rotated)])
    expect(toolCallsOf(found).map((call) => call.id)).toEqual(['call_1', 'call_2'])
    const renamed = completed([{ ...CALL, id: 'x', call_id: 'y' }])
    const again = await answerOf([...STREAM.slice(0, -1), renamed])
    expect(toolCallsOf(again).map((call) => call.id)).toEqual(['call_1'])
  })

  it('believes the whole text where the pieces were others', async () => {
    const { events } = await readEvents([
      start,
      added(0, openMessage),
      textDelta(0, 'I lock'),
      done(0, MESSAGE),
      completed([MESSAGE]),
    ])
    expect(told(events)).toBe('I lock')
    expect(textOf(responseIn(events))).toBe('I look it up: “été”.')
  })

  it('collects annotations that come one by one', async () => {
    const annotation = (n: number): JsonObject =>
      at(0, 'msg_1', {
        type: 'response.output_text.annotation.added',
        content_index: 0,
        annotation_index: n,
        annotation: { type: 'url_citation', url: `https://x/${n}` },
      })
    const response = await answerOf([
      start,
      added(0, openMessage),
      textDelta(0, 'Hi'),
      annotation(0),
      annotation(1),
      completed([]),
    ])
    expect(contentOf(response)[0]!.providerOptions?.['openai']).toMatchObject({
      annotations: [{ url: 'https://x/0' }, { url: 'https://x/1' }],
    })
  })

  it('shows the raw thoughts of servers that have them', async () => {
    const item = { id: 'rs_1', type: 'reasoning', summary: [], content: [] }
    for (const name of ['reasoning_text', 'reasoning']) {
      const { events } = await readEvents([
        start,
        added(0, item),
        at(0, 'rs_1', { type: `response.${name}.delta`, content_index: 0, delta: 'Hm' }),
        at(0, 'rs_1', { type: `response.${name}.done`, content_index: 0, text: 'Hmm' }),
        completed([]),
      ])
      expect(contentOf(responseIn(events))).toEqual([
        {
          type: 'reasoning',
          text: 'Hmm',
          providerData: { ...item, content: [{ type: 'reasoning_text', text: 'Hmm' }] },
        },
      ])
    }
  })
})

describe('an answer of very many parts', () => {
  it('has all of its content, streamed too', async () => {
    const message = { ...MESSAGE, content: Array<JsonObject>(200_000).fill({ text: 'a' }) }
    const called = await callOf(whole([message]))
    const streamed = await answerOf([
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response: whole([]) },
    ])
    expect(contentOf(called)).toHaveLength(200_000)
    expect(contentOf(streamed)).toHaveLength(200_000)
  })

  it('has all paragraphs of its thought', async () => {
    const summary = Array<JsonObject>(100_000).fill({ type: 'summary_text', text: 'a' })
    const streamed = await answerOf([
      { type: 'response.output_item.done', output_index: 0, item: { ...REASONING, summary } },
      { type: 'response.completed', response: whole([]) },
    ])
    expect(contentOf(streamed)).toMatchObject([{ text: summary.map(() => 'a').join('\n\n') }])
  })
})

describe('a stream that goes wrong', () => {
  const finalIn = (events: readonly ChatEvent[]): number =>
    events.filter((event) => event.type === 'tool-call' || event.type === 'response').length

  it.each([
    ['properly', undefined],
    ['broken', 'reset'],
  ] as const)('by ending early (%s) is incomplete at every event', async (_how, ending) => {
    for (let length = 1; length < STREAM.length; length++) {
      const { events, thrown } = await readEvents(STREAM.slice(0, length), ending)
      expect(thrown).toBeInstanceOf(ModelResponseError)
      expect(thrown).toMatchObject({ code: 'incomplete-stream', retryable: true })
      expect(events.filter((event) => event.type === 'response')).toEqual([])
      if (length < STREAM.length - 1) expect(finalIn(events)).toBe(0)
    }
  })

  it('is no answer at any byte before its end, and no call is complete before its own', async () => {
    const short = [start, textDelta(0, 'é'), added(1, openCall), inputDelta(1, '{}'), done(1, CALL)]
    const bytes = new TextEncoder().encode(sse(short))
    const call = bytes.length - new TextEncoder().encode(sse(short.slice(-1))).length
    for (let place = 0; place <= bytes.length; place++) {
      const { events, thrown } = await read({ chunks: [bytes.subarray(0, place)] })
      expect(thrown, `cut at ${place}`).toBeInstanceOf(ModelResponseError)
      expect((thrown as ModelResponseError).code).toMatch(
        /^(?:incomplete-stream|invalid-response)$/,
      )
      if (place <= call) expect(finalIn(events)).toBe(0)
    }
  })

  it('carries the text that did arrive, and names the call that was cut', async () => {
    const { thrown } = await readEvents(STREAM.slice(0, 19))
    expect(thrown).toMatchObject({ partial: 'I look it up: “été”.' })
    expect((thrown as Error).message).toContain('"weather"')
  })

  it('by an end marker before its end is incomplete', async () => {
    const { thrown } = await read({ chunks: [sse(STREAM.slice(0, -1)), 'data: [DONE]\n\n'] })
    expect(thrown).toMatchObject({ code: 'incomplete-stream' })
  })

  it.each([
    [
      'another response inside an open one',
      [
        ...STREAM.slice(0, 15),
        { type: 'response.created', response: { ...begun, id: 'resp_2' } },
        ...STREAM.slice(2),
      ],
    ],
    ['an item without a type', [start, added(0, {}), completed([])]],
    ['a start without an item', [start, { type: 'response.output_item.added' }, completed([])]],
    ['an item of the end without a type', [start, completed([{}])]],
  ])('by %s is refused', async (_what, events) => {
    const outcome = await readEvents(events)
    expect(outcome.thrown).toMatchObject({ code: 'invalid-response' })
    expect(finalIn(outcome.events)).toBe(0)
  })

  const error = (code: string, rest: JsonObject = {}): JsonObject => ({
    code,
    message: `Sorry, ${KEY}`,
    ...rest,
  })
  it.each([
    ['server_error', 'provider-unavailable', true],
    ['rate_limit_exceeded', 'provider-rate-limit', true],
    ['vector_store_timeout', 'provider-unavailable', true],
    ['invalid_prompt', 'provider-rejected', false],
    ['context_length_exceeded', 'provider-rejected', false],
    ['image_parse_error', 'provider-rejected', false],
    ['image_content_policy_violation', 'provider-rejected', false],
    ['data_residency_mismatch', 'provider-rejected', false],
  ])('by the error %s rejects with %s, however it is said', async (said, code, retryable) => {
    const failed = { ...begun, status: 'failed', error: error(said) }
    const ways: readonly JsonObject[] = [
      { type: 'error', ...error(said, { param: null, sequence_number: 9 }) },
      { type: 'error', error: error(said) },
      { type: 'response.failed', response: failed },
      { type: 'response.completed', response: failed },
    ]
    for (const event of ways) {
      const { events, thrown } = await readEvents([...STREAM.slice(0, 14), event])
      expect(thrown).toBeInstanceOf(ProviderError)
      expect(thrown).toMatchObject({ code, retryable, provider: 'openai' })
      expect((thrown as Error).message).toContain('Sorry')
      expect((thrown as Error).message).not.toContain(KEY)
      expect(events.at(-1)).toEqual({ type: 'text-delta', text: 'I look it up: ' })
    }
  })

  it('by a failure without an error rejects as one of the server, as a whole answer does', async () => {
    const failed = { ...begun, status: 'failed', error: null, output: [] }
    const headers = { 'x-request-id': 'req_7' }
    const failures: unknown[] = []
    for (const records of [
      `data: ${JSON.stringify({ type: 'response.failed', response: failed })}\n\n`,
      `event: response.failed\ndata: ${JSON.stringify({ response: failed })}\n\n`,
    ])
      failures.push((await read({ chunks: [sse([start]), records], headers })).thrown)
    server.reply = { type: 'application/json', chunks: [JSON.stringify(failed)], headers }
    failures.push(await model.call(prompt).catch((thrown: unknown) => thrown))
    for (const failure of failures)
      expect(failure).toMatchObject({ code: 'provider-unavailable', requestId: 'req_7' })
  })

  it('by data that is no JSON is refused, naming the place', async () => {
    const { events, thrown } = await read({
      chunks: [sse(STREAM.slice(0, 9)), 'data: {"type":\n\n', sse(STREAM.slice(9))],
    })
    expect(thrown).toMatchObject({ code: 'invalid-response' })
    expect((thrown as Error).message).toContain('Event 10')
    expect(finalIn(events)).toBe(0)
  })

  it('by a web page is refused', async () => {
    const { thrown } = await read({ type: 'text/html', chunks: ['<!doctype html><p>Bad gateway'] })
    expect(thrown).toMatchObject({ code: 'invalid-response' })
  })

  it('by silence ends at once when it is aborted, with the reason given', async () => {
    server.reply = { chunks: [sse(STREAM.slice(0, 14))], end: 'hold' }
    const controller = new AbortController()
    const reason = new Error('enough')
    const reading = (async () => {
      for await (const event of model.stream(prompt, { signal: controller.signal }))
        if (event.type === 'text-delta') controller.abort(reason)
    })()
    await expect(reading).rejects.toBe(reason)
  })
})

describe('a refused request', () => {
  const body = (type: string, code: string | null = null): string =>
    JSON.stringify({ error: { message: `Not so, ${KEY}`, type, param: null, code } })

  it.each<[number, string, { readonly retryable: boolean; readonly after?: number }]>([
    [400, 'provider-rejected', { retryable: false }],
    [401, 'provider-auth', { retryable: false }],
    [404, 'provider-not-found', { retryable: false }],
    [413, 'provider-rejected', { retryable: false }],
    [429, 'provider-rate-limit', { retryable: true }],
    [429, 'provider-rate-limit', { retryable: true, after: 2 }],
    [500, 'provider-unavailable', { retryable: true }],
    [529, 'provider-unavailable', { retryable: true }],
  ])('with %i rejects with %s', async (status, code, { retryable, after }) => {
    server.reply = {
      status,
      type: 'application/json',
      chunks: [body('some_error', 'model_not_found')],
      ...(after && { headers: { 'retry-after': String(after) } }),
    }
    const retryAfterMs = after && after * 1000
    for (const ask of [
      () => model.call(prompt),
      async () => {
        for await (const event of model.stream(prompt)) expect(event).toBeUndefined()
      },
    ]) {
      const thrown = await ask().catch((failure: unknown) => failure)
      expect(thrown).toBeInstanceOf(ProviderError)
      expect(thrown).toMatchObject({ code, status, retryable, provider: 'openai' })
      expect((thrown as ProviderError).retryAfterMs).toBe(retryAfterMs)
      const shown = thrown as ProviderError
      expect(shown.message).toContain('Not so')
      expect(`${shown.message} ${shown.body} ${JSON.stringify(shown)}`).not.toContain(KEY)
    }
  })

  it.each([
    ['a web page', '<!doctype html><p>Hello', 'an HTML page'],
    ['cut JSON', JSON.stringify(WHOLE).slice(0, 200), 'instead of JSON'],
    ['nothing', '', 'instead of JSON'],
  ])('that is answered with %s rejects', async (_what, text, words) => {
    server.reply = { type: 'application/json', chunks: [text] }
    await expect(model.call(prompt)).rejects.toMatchObject({ code: 'invalid-response' })
    await expect(model.call(prompt)).rejects.toThrow(words)
  })
})

describe('the next question', () => {
  it('has encrypted thoughts and items of the provider byte for byte where they were', async () => {
    const items: Json[] = [
      REASONING,
      { action: { type: 'search', query: 'x' }, type: 'web_search_call', id: 'ws_1', extra: null },
      { type: 'reasoning', summary: [], encrypted_content: 'gBBBB', id: 'rs_2', content: null },
      CALL,
    ]
    const answer = await callOf(whole(items))
    const responses = toolCallsOf(answer).map(({ id, name }) => ({ id, name, content: 'rain' }))
    const messages = [question, answer.results[0]!.message, { role: 'tool', responses } as const]
    await model.call({ messages })
    const sent = server.requests[1]!.body
    expect(sent).toContain(JSON.stringify(items.slice(0, 3)).slice(1, -1))
    expect(JSON.parse(sent).input).toEqual([
      question,
      ...items,
      { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
    ])
  })
})

describe('settings', () => {
  /** The key in the headers of a request, where it goes, without anything being sent. */
  async function sentTo(options: OpenAiOptions): Promise<{ url: string; key: string | undefined }> {
    let seen: TransportRequest | undefined
    const transport = (request: TransportRequest): Promise<never> => {
      seen = request
      return Promise.reject(new Error('Nobody there.'))
    }
    await openai('gpt-test', { ...options, transport, retry: false })
      .call(prompt)
      .catch(() => {})
    return { url: seen!.url, key: seen!.headers['authorization'] }
  }

  async function withKey<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
    const before = process.env['OPENAI_API_KEY']
    delete process.env['OPENAI_API_KEY']
    if (key !== undefined) process.env['OPENAI_API_KEY'] = key
    try {
      return await work()
    } finally {
      delete process.env['OPENAI_API_KEY']
      if (before !== undefined) process.env['OPENAI_API_KEY'] = before
    }
  }

  it('need a key, from the option or the environment, and never show it', () =>
    withKey(undefined, async () => {
      expect(() => openai('gpt-test')).toThrow(/OPENAI_API_KEY/)
      expect(() => openai('gpt-test', { baseUrl: 'https://api.openai.com/v1' })).toThrow(/API_KEY/)
      process.env['OPENAI_API_KEY'] = KEY
      expect(JSON.stringify(openai('gpt-test'))).not.toContain(KEY)
      expect(await sentTo({})).toEqual({
        url: 'https://api.openai.com/v1/responses',
        key: `Bearer ${KEY}`,
      })
    }))

  it.each([
    ['https://api.openai.com/v1/', true],
    ['https://eu.api.openai.com/v1', true],
    ['http://api.openai.com/v1', false],
    ['https://api.openai.com.example.org/v1', false],
    ['https://api.openai.com@example.org/v1', false],
    ['https://example.org/api.openai.com/v1', false],
    ['http://127.0.0.1:1234/v1', false],
  ])('send the key of the environment to hosts of OpenAI only: %s', (url, isSent) =>
    withKey(KEY, async () => {
      expect((await sentTo({ baseUrl: url })).key).toBe(isSent ? `Bearer ${KEY}` : undefined)
      expect((await sentTo({ baseUrl: url, apiKey: 'other' })).key).toBe('Bearer other')
    }),
  )

  it('are checked when the model is made', () => {
    const misspelt = { apiKey: KEY, baseURL: 'x' }
    expect(() => openai('gpt-test', misspelt)).toThrow(/baseURL.*baseUrl/s)
    expect(() => openai('', { apiKey: KEY })).toThrow(/name of a model/)
    expect(() => openai('gpt-test', { baseUrl: 'nowhere' })).toThrow(/baseUrl/)
    expect(() => openai('gpt-test', { baseUrl: 7 as never })).toThrow(/baseUrl/)
  })

  it.each([
    ['gpt-5.4', { reasoning: true, media: true, structuredOutput: true, parallelOff: true }],
    ['gpt-5.1-codex-mini', { reasoning: true }],
    ['gpt-5-chat-latest', { reasoning: false, tools: true }],
    ['gpt-4o-2024-11-20', { reasoning: false, structuredOutput: true, media: true }],
    ['ft:gpt-4.1-mini:org', { reasoning: false, strictTools: true }],
    ['gpt-4-turbo', { structuredOutput: false, media: true }],
    ['gpt-4-0613', { structuredOutput: false, media: false }],
    ['gpt-3.5-turbo', { structuredOutput: false, reasoning: false, media: false }],
    ['o3-mini', { reasoning: true, media: false, parallelOff: false }],
    ['openai/o4-mini', { reasoning: true, media: true, parallelOff: false }],
    ['gpt-oss-120b', { reasoning: true, media: false }],
    ['chatgpt-4o-latest', { tools: false }],
  ])('say what %s can do', (name, expected) => {
    expect(openai(name, { apiKey: KEY }).capabilities).toMatchObject(expected)
    const told = openai(name, { apiKey: KEY, capabilities: { media: false, tools: true } })
    expect(told.capabilities).toMatchObject({ media: false, tools: true })
  })
})
