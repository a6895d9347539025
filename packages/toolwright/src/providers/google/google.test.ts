import { beforeAll, describe, expect, it } from 'vitest'
import { ModelResponseError, type ProviderError } from '../../errors/errors.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantMessage, Message } from '../../messages/message.ts'
import { textOf, toolCallsOf } from '../../messages/reading.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import type { Transport } from '../../ports/transport.ts'
import { google } from './index.ts'
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
  baseUrl = `${server.origin}/v1beta/`
  model = google('gemini-test', { apiKey: KEY, baseUrl, retry: false })
})

const question: Message = { role: 'user', content: 'Hi' }
const prompt = { messages: [question] }

const sse = (chunks: readonly JsonObject[]): string =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('')

const read = (replying: Reply): Promise<ReadStream> => {
  server.reply = replying
  return readStream(model, prompt)
}
const readChunks = (chunks: readonly JsonObject[], end?: Reply['end']): ReturnType<typeof read> =>
  read({ chunks: [sse(chunks)], ...(end && { end }) })

async function streamOf(chunks: readonly JsonObject[]): Promise<ChatResponse> {
  const { events, thrown } = await readChunks(chunks)
  if (thrown !== undefined) throw thrown
  const last = events.at(-1)
  if (last?.type !== 'response') throw new Error('no response')
  return last.response
}
const callOf = (body: JsonObject): Promise<ChatResponse> => {
  server.reply = { type: 'application/json', chunks: [JSON.stringify(body)] }
  return model.call(prompt)
}
/** One answer both ways, which must agree. */
async function answerOf(body: JsonObject): Promise<ChatResponse> {
  const whole = await callOf(body)
  expect(await streamOf([body])).toEqual(whole)
  return whole
}
const failureOf = async (body: JsonObject): Promise<unknown> => {
  const called = await callOf(body).catch((failure: unknown) => failure)
  const streamed = await streamOf([body]).catch((failure: unknown) => failure)
  expect(String(streamed)).toBe(String(called))
  return called
}
const contentOf = (response: ChatResponse): unknown => response.results[0]!.message.content

const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 }
const around = { usageMetadata, modelVersion: 'gemini-test-001', responseId: 'resp_1' }
const chunk = (parts: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...fields }],
  ...around,
})
const answer = (parts: readonly JsonObject[], fields: JsonObject = {}): JsonObject =>
  chunk(parts, { finishReason: 'STOP', ...fields })
const end = chunk([{ text: '' }], { finishReason: 'STOP' })
const piece = (functionCall: JsonObject, extra: JsonObject = {}): JsonObject =>
  chunk([{ functionCall, ...extra }])

const SIGNATURE = 'EqQBCgIYAhIM+/8='
const THOUGHT = { text: 'Oslo, then. 🌧', thought: true }
const CALL = {
  functionCall: { id: 'fc_1', name: 'weather', args: { city: 'Tromsø 🌊' } },
  thoughtSignature: SIGNATURE,
}
const WHOLE = answer([THOUGHT, { text: 'I look it up: “été”.' }, CALL])
const STREAM = [
  chunk([{ text: 'Oslo, ', thought: true }]),
  chunk([{ text: 'then. 🌧', thought: true }]),
  chunk([{ text: 'I look it up: ' }]),
  chunk([{ text: '“été”.' }]),
  chunk([CALL]),
  end,
]
/** The same with little around it, for tests that go through its bytes. */
const SHORT = STREAM.map(({ candidates }, at) => ({
  candidates: candidates!,
  ...(at === 0 && { responseId: 'r' }),
}))
const TOOL_CALL = {
  type: 'tool-call',
  id: 'fc_1',
  name: 'weather',
  arguments: '{"city":"Tromsø 🌊"}',
  providerData: { functionCall: { id: 'fc_1' }, thoughtSignature: SIGNATURE },
}

describe('a whole answer', () => {
  it('is asked for with the key, and read part by part', async () => {
    const response = await callOf(WHOLE)
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({
      url: '/v1beta/models/gemini-test:generateContent',
      headers: { 'x-goog-api-key': KEY, 'content-type': 'application/json' },
    })
    expect(server.requests[0]!.url).not.toContain(KEY)
    expect(response).toEqual({
      id: 'resp_1',
      model: 'gemini-test-001',
      results: [
        {
          message: {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: THOUGHT.text, providerData: { thought: true } },
              { type: 'text', text: 'I look it up: “été”.' },
              TOOL_CALL,
            ],
          },
          finishReason: 'tool-calls',
          rawFinishReason: 'STOP',
          metadata: {},
        },
      ],
      usage: { inputTokens: 10, outputTokens: 20, totalTokens: 30 },
      metadata: { usageMetadata },
    })
  })

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['CONTINUATION', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['LANGUAGE', 'content-filter'],
    ['BLOCKLIST', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['SPII', 'content-filter'],
    ['IMAGE_SAFETY', 'content-filter'],
    ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
    ['IMAGE_RECITATION', 'content-filter'],
    ['NO_IMAGE', 'other'],
    ['IMAGE_OTHER', 'other'],
    ['FINISH_REASON_UNSPECIFIED', 'other'],
    ['OTHER', 'other'],
    ['SOMETHING_NEW', 'other'],
  ])('that ends with %s has the finish reason %s', async (raw, expected) => {
    const response = await answerOf(answer([{ text: 'A' }], { finishReason: raw }))
    expect(response.results[0]).toMatchObject({ finishReason: expected, rawFinishReason: raw })
  })

  it.each([
    ['MALFORMED_FUNCTION_CALL', true],
    ['MALFORMED_RESPONSE', true],
    ['UNEXPECTED_TOOL_CALL', true],
    ['TOO_MANY_TOOL_CALLS', false],
    ['MISSING_THOUGHT_SIGNATURE', false],
  ])('that ends with %s is none', async (raw, retryable) => {
    const finishMessage = 'Malformed function call: print(default_api.weather(city="Oslo"))'
    const broken = answer([{ text: 'Let me ' }, CALL], { finishReason: raw, finishMessage })
    const thrown = await failureOf(broken)
    expect(thrown).toBeInstanceOf(ModelResponseError)
    expect(thrown).toMatchObject({ code: 'broken-answer', partial: 'Let me ', retryable })
    expect((thrown as Error).message).toContain(`${raw}: ${finishMessage}`)
    const silent = await failureOf({ candidates: [{ finishReason: raw }] })
    expect((silent as Error).message).toMatch(`The answer ended with ${raw}. `)
  })

  it('says why it was stopped, where the provider does', async () => {
    const words = 'The response was blocked by a filter.'
    const [said] = (await answerOf(answer([], { finishReason: 'SPII', finishMessage: words })))
      .results
    expect(said!.metadata['refusal']).toBe(words)
    const [silent] = (await answerOf(answer([], { finishReason: 'SPII' }))).results
    expect(silent!.metadata['refusal']).toBe('The answer was stopped: SPII.')
  })

  it('to a blocked prompt is a refusal', async () => {
    const promptFeedback = {
      blockReason: 'PROHIBITED_CONTENT',
      safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'HIGH' }],
    }
    const response = await answerOf({ promptFeedback, usageMetadata })
    expect(response).toEqual({
      results: [
        {
          message: { role: 'assistant', content: [] },
          finishReason: 'content-filter',
          rawFinishReason: 'PROHIBITED_CONTENT',
          metadata: { refusal: 'The prompt was blocked: PROHIBITED_CONTENT.' },
        },
      ],
      usage: { inputTokens: 10, outputTokens: 20, totalTokens: 30 },
      metadata: { promptFeedback, usageMetadata },
    })
    const words = { blockReason: 'SAFETY', blockReasonMessage: 'Not for children.' }
    const said = await answerOf({ promptFeedback: words, candidates: [] })
    expect(said.results[0]!.metadata).toEqual({ refusal: 'Not for children.' })
  })

  it('counts thoughts as output, and what tools of the provider returned as input', async () => {
    const counts = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      toolUsePromptTokenCount: 7,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 30,
      totalTokenCount: 142,
    }
    const response = await answerOf({ ...answer([{ text: 'A' }]), usageMetadata: counts })
    expect(response.usage).toEqual({
      inputTokens: 107,
      outputTokens: 35,
      totalTokens: 142,
      cacheReadTokens: 60,
      reasoningTokens: 30,
    })
    const without = await answerOf({ candidates: [{ finishReason: 'STOP' }] })
    expect(without.usage).toEqual({})
  })

  it('keeps everything else the provider said', async () => {
    const safetyRatings = [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }]
    const citationMetadata = { citationSources: [{ startIndex: 1, uri: 'https://example.org' }] }
    const more = { safetyRatings, citationMetadata, avgLogprobs: -0.1, finishMessage: 'Done.' }
    const response = await answerOf({
      ...answer([{ text: 'A' }], more),
      createTime: '2030-01-01T00:00:00Z',
      modelStatus: { modelStage: 'PREVIEW' },
    })
    expect(response.results[0]!.metadata).toEqual(more)
    expect(response.metadata).toEqual({
      usageMetadata,
      createTime: '2030-01-01T00:00:00Z',
      modelStatus: { modelStage: 'PREVIEW' },
    })
  })

  it('reads arguments of any shape as JSON text', async () => {
    const inputs: Json[] = [{}, null, '', '{"a":1}', { a: [1] }]
    const parts = inputs.map((args) => ({ functionCall: { name: 'f', args } }))
    const calls = toolCallsOf(await answerOf(answer([{ functionCall: { name: 'f' } }, ...parts])))
    expect(calls.map((call) => call.arguments)).toEqual([
      '{}',
      '{}',
      '{}',
      '{}',
      '{"a":1}',
      '{"a":[1]}',
    ])
    expect(calls.map((call) => call.id)).toEqual(['', '', '', '', '', ''])
  })

  it('keeps the digits of every argument', async () => {
    const body = JSON.stringify(answer([CALL])).replace('"Tromsø 🌊"', '12345678901234567890')
    server.reply = { type: 'application/json', chunks: [body] }
    const [whole] = toolCallsOf(await model.call(prompt))
    expect(whole!.arguments).toBe('{"city":12345678901234567890}')
    const { events } = await read({ chunks: [`data: ${body}\n\n`] })
    expect(events.at(-1)).toMatchObject({
      response: { results: [{ message: { content: [whole] } }] },
    })
  })

  it('has media, and what the provider did itself, as parts', async () => {
    const code = { executableCode: { language: 'PYTHON', code: 'print(1)', id: 'c1' } }
    const result = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n', id: 'c1' } }
    const toolCall = {
      toolCall: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', args: { n: 0.1, q: 'x' } },
      thoughtSignature: SIGNATURE,
    }
    const toolResponse = { toolResponse: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB' } }
    const draft = { inlineData: { mimeType: 'image/png', data: 'AAAA' }, thought: true }
    const parts: JsonObject[] = [
      code,
      result,
      toolCall,
      toolResponse,
      draft,
      { inlineData: { mimeType: 'image/png', data: 'BBBB' }, thoughtSignature: SIGNATURE },
      { inlineData: { mimeType: 'audio/L16;rate=24000', data: 'CCCC' } },
      { fileData: { mimeType: 'application/pdf', fileUri: 'https://example.org/a' } },
      { brandNew: { anything: true } },
      { thoughtSignature: SIGNATURE },
    ]
    const provider = (data: JsonObject): JsonObject => ({
      type: 'provider',
      kind: Object.keys(data)[0]!,
      data,
    })
    const providerOptions = { google: { thoughtSignature: SIGNATURE } }
    const response = await answerOf(answer(parts))
    expect(contentOf(response)).toEqual([
      provider(code),
      provider(result),
      provider(toolCall),
      provider(toolResponse),
      provider(draft),
      { type: 'image', mediaType: 'image/png', data: 'BBBB', providerOptions },
      { type: 'audio', mediaType: 'audio/L16;rate=24000', data: 'CCCC' },
      { type: 'file', mediaType: 'application/pdf', url: 'https://example.org/a' },
      provider({ brandNew: { anything: true } }),
      { type: 'text', text: '', providerOptions },
    ])
    const { events } = await readChunks([answer(parts)])
    expect(events.slice(0, -1).map((event) => event.type)).toEqual(Array(9).fill('part'))
  })

  it('has what the provider searched and read as parts at its end', async () => {
    const groundingMetadata = {
      webSearchQueries: ['weather oslo'],
      groundingChunks: [{ web: { uri: 'https://example.org', title: 'example.org' } }],
    }
    const urlContextMetadata = { urlMetadata: [{ retrievedUrl: 'https://example.org' }] }
    const response = await answerOf(
      answer([{ text: 'A' }], { groundingMetadata, urlContextMetadata }),
    )
    expect(contentOf(response)).toEqual([
      { type: 'text', text: 'A' },
      { type: 'provider', kind: 'groundingMetadata', data: groundingMetadata },
      { type: 'provider', kind: 'urlContextMetadata', data: urlContextMetadata },
    ])
    expect(response.results[0]!.metadata).toEqual({})
  })

  it('may have several candidates, of which the first is heard', async () => {
    const said = (text: string, index: number): JsonObject => ({
      content: { parts: [{ text }], role: 'model' },
      finishReason: index === 2 ? 'MALFORMED_FUNCTION_CALL' : 'STOP',
      index,
    })
    const body = { candidates: [said('A', 0), said('B', 1), said('C', 2)], ...around }
    const response = await answerOf(body)
    expect(response.results.map(textOf)).toEqual(['A', 'B', 'C'])
    expect(response.results[2]!.finishReason).toBe('error')
    const { events } = await readChunks([body])
    expect(events.slice(0, -1)).toEqual([{ type: 'text-delta', text: 'A' }])
  })

  it.each<[string, Json]>([
    ['no object', [1]],
    ['something else', { hello: 'world' }],
    ['without candidates', { candidates: [], usageMetadata }],
    ['with candidates that are none', { candidates: [null, 1] }],
  ])('that is %s is refused', async (_what, body) => {
    server.reply = { type: 'application/json', chunks: [JSON.stringify(body)] }
    await expect(model.call(prompt)).rejects.toMatchObject({ code: 'invalid-response' })
  })

  it('of odd fields is read as far as it says something', async () => {
    const odd: JsonObject[] = [
      { candidates: [{ finishReason: 'STOP' }] },
      { candidates: [{ finishReason: 'STOP', content: {} }] },
      { candidates: [{ finishReason: 'STOP', content: { parts: null } }] },
      { candidates: [{ finishReason: 'STOP', content: { parts: [null, 1, 'x', {}] } }] },
      { ...answer([]), usageMetadata: null, modelVersion: 7, responseId: '' },
      answer([{ functionCall: {} }, { functionCall: null }, { text: '' }]),
    ]
    for (const body of odd) {
      const response = await answerOf(body)
      expect(response.results[0]).toMatchObject({ finishReason: 'stop', message: { content: [] } })
    }
  })
})

it('fields that a server writes as null are not there', async () => {
  const none = { thought: null, inlineData: null, thoughtSignature: null }
  const response = await answerOf({
    candidates: [
      {
        content: {
          parts: [
            { ...none, text: 'Hel', functionCall: null },
            { ...none, text: 'lo', functionCall: null },
            { ...none, text: null, functionCall: { id: null, name: 'f', args: { a: 1 } } },
          ],
        },
        finishReason: 'STOP',
      },
    ],
  })
  expect(response.results[0]!.message.content).toEqual([
    { type: 'text', text: 'Hello' },
    { type: 'tool-call', id: '', name: 'f', arguments: '{"a":1}' },
  ])
})

describe('a stream', () => {
  it('tells everything as it comes, and in the end the same as the whole answer', async () => {
    const { events } = await readChunks(STREAM)
    expect(server.requests[0]!.url).toBe('/v1beta/models/gemini-test:streamGenerateContent?alt=sse')
    expect(events.slice(0, -1)).toEqual([
      { type: 'reasoning-delta', text: 'Oslo, ' },
      { type: 'reasoning-delta', text: 'then. 🌧' },
      {
        type: 'part',
        part: { type: 'reasoning', text: THOUGHT.text, providerData: { thought: true } },
      },
      { type: 'text-delta', text: 'I look it up: ' },
      { type: 'text-delta', text: '“été”.' },
      { type: 'tool-call-start', id: 'fc_1', name: 'weather' },
      { type: 'tool-call-delta', id: 'fc_1', delta: '{"city":"Tromsø 🌊"}' },
      { type: 'tool-call', toolCall: TOOL_CALL },
    ])
    expect(events.at(-1)).toEqual({ type: 'response', response: await callOf(WHOLE) })
  })

  it('is the same however its bytes are cut', async () => {
    const bytes = new TextEncoder().encode(sse(SHORT))
    const { events: expected } = await read({ chunks: [bytes] })
    const again = (transport: Transport): Promise<ReadStream> =>
      readStream(google('gemini-test', { apiKey: KEY, baseUrl, retry: false, transport }), prompt)
    for await (const [cut, found] of readInPieces(bytes, again))
      expect(found, cut).toEqual({ events: expected })
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await read({ chunks: single })).toEqual({ events: expected })
  })

  it('keeps every signature on the part it came with', async () => {
    const sign = (thoughtSignature: string): JsonObject => ({ google: { thoughtSignature } })
    const response = await streamOf([
      chunk([{ text: 'A' }]),
      chunk([{ text: 'B', thoughtSignature: 'one' }]),
      chunk([{ text: 'C' }]),
      chunk([{ text: 'D' }]),
      chunk([{ text: '', thoughtSignature: 'two' }], { finishReason: 'STOP' }),
    ])
    expect(contentOf(response)).toEqual([
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B', providerOptions: sign('one') },
      { type: 'text', text: 'CD' },
      { type: 'text', text: '', providerOptions: sign('two') },
    ])
    expect(textOf(response)).toBe('ABCD')
  })

  it('takes calls of one name side by side, text after them, and thoughts between', async () => {
    const call = (city: string): JsonObject => ({ functionCall: { name: 'w', args: { city } } })
    const parts = [
      { text: 'Hm', thought: true },
      call('a'),
      call('b'),
      { text: 'Both', thought: true },
      call('c'),
      { text: 'Wait.' },
    ]
    const whole = await callOf(answer(parts))
    expect(await streamOf([chunk(parts.slice(0, 3)), answer(parts.slice(3))])).toEqual(whole)
    expect(toolCallsOf(whole).map((each) => each.arguments)).toEqual([
      '{"city":"a"}',
      '{"city":"b"}',
      '{"city":"c"}',
    ])
  })

  it('counts usage that comes alone, and keeps what was counted before', async () => {
    const response = await streamOf([
      { ...chunk([{ text: 'A' }]), usageMetadata: { trafficType: 'ON_DEMAND' } },
      end,
      { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 }, candidates: [] },
      { usageMetadata: { totalTokenCount: 7 } },
    ])
    expect(response.usage).toEqual({ inputTokens: 3, outputTokens: 4, totalTokens: 7 })
    expect(response.metadata['usageMetadata']).toMatchObject({ trafficType: 'ON_DEMAND' })
  })

  it('counts what the last of many equal chunks said', async () => {
    const { usageMetadata: _counts, ...uncounted } = end as JsonObject
    const counted = (count: number): JsonObject => ({
      ...chunk([{ text: `${count} ` }]),
      usageMetadata: {
        promptTokenCount: 3,
        candidatesTokenCount: count,
        totalTokenCount: 3 + count,
      },
    })
    const response = await streamOf([...[1, 2, 3, 4, 5].map(counted), uncounted])
    expect(textOf(response)).toBe('1 2 3 4 5 ')
    expect(response.usage).toEqual({ inputTokens: 3, outputTokens: 5, totalTokens: 8 })
  })

  it('counts what the last chunk said that came like those before', async () => {
    const counted = (count: number): JsonObject => ({
      ...answer([{ text: `${count} ` }]),
      usageMetadata: {
        promptTokenCount: 3,
        candidatesTokenCount: count,
        totalTokenCount: 3 + count,
      },
    })
    const response = await streamOf([1, 2, 3, 4, 5].map(counted))
    expect(response.usage).toEqual({ inputTokens: 3, outputTokens: 5, totalTokens: 8 })
  })

  it('may say STOP with every chunk, change its id, and repeat what it found', async () => {
    const found = { groundingMetadata: { webSearchQueries: ['x'] } }
    const response = await streamOf([
      { ...answer([{ text: 'A' }], found), responseId: 'r1' },
      { ...answer([{ text: 'B' }], { groundingMetadata: {} }), responseId: 'r1' },
    ])
    expect(response.id).toBe('r1')
    expect(contentOf(response)).toEqual([
      { type: 'text', text: 'AB' },
      { type: 'provider', kind: 'groundingMetadata', data: found.groundingMetadata },
    ])
    const changing = await streamOf([
      { ...chunk([{ text: 'A' }]), responseId: 'r1' },
      { ...answer([{ text: 'B' }]), responseId: 'r2' },
    ])
    expect([changing.id, textOf(changing)]).toEqual(['r1', 'AB'])
  })

  it('ignores another answer after its end, and says so once', async () => {
    const late = { ...answer([CALL]), responseId: 'resp_2' }
    const { events } = await readChunks([...STREAM, late, late])
    const { events: expected } = await readChunks(STREAM)
    expect(events.filter((event) => event.type !== 'notice')).toEqual(expected)
    expect(events.filter((event) => event.type === 'notice')).toMatchObject([
      { code: 'content-after-finish' },
    ])
  })

  it('may be answered in one piece', async () => {
    const { events } = await read({
      type: 'application/json; charset=UTF-8',
      chunks: [JSON.stringify(WHOLE)],
    })
    expect(events.at(-1)).toEqual({ type: 'response', response: await callOf(WHOLE) })
  })

  it('needs no end of the connection once the finish reason is there', async () => {
    const expected = await readChunks(STREAM)
    expect(await readChunks(STREAM, 'reset')).toEqual(expected)
    expect(await readChunks(STREAM, 'hold')).toEqual(expected)
  })
})

describe('streamed arguments', () => {
  const more = { willContinue: true }
  const arg = (jsonPath: string, value: JsonObject): JsonObject =>
    piece({ partialArgs: [{ jsonPath, ...value }], ...more })
  const done = piece({})
  const argumentsOf = async (chunks: readonly JsonObject[]): Promise<string[]> =>
    toolCallsOf(await streamOf(chunks)).map((call) => call.arguments)

  it('are assembled by their paths, texts in pieces', async () => {
    const { events } = await readChunks([
      piece({ name: 'order', id: 'fc_1', ...more }, { thoughtSignature: SIGNATURE }),
      arg('$.city', { stringValue: 'Tro', willContinue: true }),
      arg('$.city', { stringValue: 'msø', willContinue: true }),
      arg('$.city', { stringValue: '' }),
      arg('$.items[0].name', { stringValue: 'Äpfel' }),
      arg('$.items[0].count', { numberValue: 0.5 }),
      arg('$.items[1].name', { nullValue: 'NULL_VALUE' }),
      arg("$['odd.key']", { boolValue: false }),
      arg('$["a\\"b"][0]', { numberValue: 1 }),
      done,
      end,
    ])
    const text = JSON.stringify({
      city: 'Tromsø',
      items: [{ name: 'Äpfel', count: 0.5 }, { name: null }],
      'odd.key': false,
      'a"b': [1],
    })
    expect(events.slice(0, -1)).toEqual([
      { type: 'tool-call-start', id: 'fc_1', name: 'order' },
      { type: 'tool-call-delta', id: 'fc_1', delta: text },
      {
        type: 'tool-call',
        toolCall: {
          type: 'tool-call',
          id: 'fc_1',
          name: 'order',
          arguments: text,
          providerData: { functionCall: { id: 'fc_1' }, thoughtSignature: SIGNATURE },
        },
      },
    ])
  })

  it('end with the first piece that does not go on, with another call, or with none at all', async () => {
    const start = piece({ name: 'f', ...more })
    const last = piece({ partialArgs: [{ jsonPath: '$.n', numberValue: 1 }] })
    expect(await argumentsOf([start, last, end])).toEqual(['{"n":1}'])
    expect(await argumentsOf([start, last, done, start, done, end])).toEqual(['{"n":1}', '{}'])
    const open = arg('$.n', { numberValue: 1 })
    expect(await argumentsOf([start, open, start, last, end])).toEqual(['{"n":1}', '{"n":1}'])
    const whole = piece({ name: 'f', args: { n: 2 } })
    expect(await argumentsOf([start, open, whole, end])).toEqual(['{"n":1}', '{"n":2}'])
    expect(await argumentsOf([start, piece({ args: { n: 3 } }), end])).toEqual(['{"n":3}'])
  })

  it('may be signed with any of their pieces', async () => {
    const response = await streamOf([
      piece({ name: 'f', ...more }),
      piece({}, { thoughtSignature: SIGNATURE }),
      end,
    ])
    expect(toolCallsOf(response)[0]).toMatchObject({
      providerData: { functionCall: {}, thoughtSignature: SIGNATURE },
    })
  })

  it('may repeat the name of the tool, or bring it in pieces', async () => {
    const again = { name: 'weather', id: '', ...more }
    const response = await streamOf([
      piece({ name: 'wea', id: 'a', ...more }),
      piece({ name: 'ther', ...more }),
      piece({ ...again, partialArgs: [{ jsonPath: '$.n', numberValue: 1 }] }),
      piece({ ...again, partialArgs: [{ jsonPath: '$.m', numberValue: 2 }] }),
      done,
      piece({ name: 'weather', id: 'b', ...more }),
      piece({ id: 'c', name: 'weather', args: {} }),
      end,
    ])
    expect(toolCallsOf(response).map(({ id, name, arguments: text }) => [id, name, text])).toEqual([
      ['a', 'weather', '{"n":1,"m":2}'],
      ['b', 'weather', '{}'],
      ['c', 'weather', '{}'],
    ])
  })

  it('that are cut by the token limit end as far as they came, and never by themselves', async () => {
    const cut = [
      piece({ name: 'f', ...more }),
      arg('$.city', { stringValue: 'Tro', willContinue: true }),
    ]
    const response = await streamOf([...cut, chunk([], { finishReason: 'MAX_TOKENS' })])
    expect(response.results[0]!.finishReason).toBe('length')
    expect(toolCallsOf(response)[0]!.arguments).toBe('{"city":"Tro"}')
    const { events, thrown } = await readChunks([...cut, end])
    expect(thrown).toMatchObject({ code: 'incomplete-stream' })
    expect((thrown as Error).message).toContain('"f"')
    expect(events.map((event) => event.type)).toEqual(['tool-call-start'])
  })

  it('pollute nothing', async () => {
    const [text] = await argumentsOf([
      piece({ name: 'f', ...more }),
      arg('$.__proto__.polluted', { boolValue: true }),
      arg('$.constructor.prototype.polluted', { boolValue: true }),
      done,
      end,
    ])
    expect(text).toBe(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    )
    expect('polluted' in {}).toBe(false)
  })

  it.each([
    ['$'],
    ['city'],
    ['$..city'],
    ['$.a[*]'],
    ['$.list[4000000000]'],
    ['$.list[1]'],
    ['$[0]'],
    ['$.text.inside'],
    [`$${'.a'.repeat(65)}`],
    ["$['open"],
  ])('at the place %s, which is none, are refused', async (jsonPath) => {
    const { events, thrown } = await readChunks([
      piece({ name: 'f', ...more }),
      arg('$.text', { stringValue: 'x' }),
      arg(jsonPath, { stringValue: 'x' }),
      done,
      end,
    ])
    expect(thrown).toMatchObject({ code: 'invalid-response' })
    expect(events.map((event) => event.type)).not.toContain('tool-call')
  })
})

it('closes the connection of a stream that nobody reads to its end', async () => {
  server.reply = { chunks: [sse(STREAM.slice(0, 3))], end: 'hold' }
  for await (const event of model.stream(prompt)) {
    expect(event.type).toBe('reasoning-delta')
    break
  }
  await server.closed
})

describe('a stream that goes wrong', () => {
  it.each([
    ['properly', undefined],
    ['broken', 'reset'],
  ] as const)('by ending early (%s) is incomplete at every event', async (_how, ending) => {
    for (let length = 1; length < STREAM.length; length++) {
      const { events, thrown } = await readChunks(STREAM.slice(0, length), ending)
      expect(thrown).toBeInstanceOf(ModelResponseError)
      expect(thrown).toMatchObject({ code: 'incomplete-stream', retryable: true })
      expect(events.filter((event) => event.type === 'response')).toEqual([])
    }
  })

  it('by ending at any byte gives no answer that was not complete', async () => {
    const bytes = new TextEncoder().encode(sse(SHORT))
    const { events: expected } = await read({ chunks: [bytes] })
    const complete = bytes.length - '\r\n\r\n'.length
    for (let length = 1; length < bytes.length; length++) {
      const { events, thrown } = await read({ chunks: [bytes.subarray(0, length)] })
      if (thrown === undefined) {
        expect(length).toBeGreaterThanOrEqual(complete)
        expect(events).toEqual(expected)
      } else {
        expect((thrown as ModelResponseError).code).toMatch(
          /^(?:incomplete-stream|invalid-response)$/,
        )
      }
    }
  })

  it('carries the text that did arrive', async () => {
    const { thrown } = await readChunks(STREAM.slice(0, 4))
    expect(thrown).toMatchObject({ partial: 'I look it up: “été”.' })
  })

  it('by data that is no JSON is refused, naming the place', async () => {
    const { thrown } = await read({
      chunks: [sse(STREAM.slice(0, 4)), 'data: {"candidates":\n\n', sse(STREAM.slice(4))],
    })
    expect(thrown).toMatchObject({ code: 'invalid-response' })
    expect((thrown as Error).message).toContain('Event 5')
  })

  it.each([
    ['UNAVAILABLE', 503, 'provider-unavailable'],
    ['INTERNAL', 500, 'provider-unavailable'],
    ['DEADLINE_EXCEEDED', 504, 'provider-unavailable'],
    ['RESOURCE_EXHAUSTED', 429, 'provider-rate-limit'],
    ['INVALID_ARGUMENT', 400, 'provider-rejected'],
    ['PERMISSION_DENIED', 403, 'provider-auth'],
  ])('by an error %s rejects with what it means', async (status, code, ours) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2.5s' }]
    const error = { code, message: `Sorry, ${KEY}`, status, details }
    const { events, thrown } = await read({
      chunks: [sse(STREAM.slice(0, 3)), `data: ${JSON.stringify({ error })}\n\n`],
    })
    expect(thrown).toMatchObject({
      name: 'ProviderError',
      code: ours,
      retryable: code === 429 || code >= 500,
      provider: 'google',
      retryAfterMs: 2500,
    })
    expect((thrown as Error).message).not.toContain(KEY)
    expect(events.at(-1)).toEqual({ type: 'text-delta', text: 'I look it up: ' })
  })

  it('by a web page is refused', async () => {
    const { thrown } = await read({ type: 'text/html', chunks: ['<!doctype html><p>Bad gateway'] })
    expect(thrown).toMatchObject({ code: 'invalid-response' })
  })

  it('by silence ends at once when it is aborted, with the reason given', async () => {
    server.reply = { chunks: [sse(STREAM.slice(0, 3))], end: 'hold' }
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

describe('a refusal over HTTP', () => {
  const errorBody = (code: number, status: string, details: readonly Json[] = []): string =>
    JSON.stringify({ error: { code, message: `No, ${KEY}.`, status, details } })
  const info = (kind: string, fields: JsonObject): JsonObject => ({
    '@type': `type.googleapis.com/google.rpc.${kind}`,
    ...fields,
  })
  const bothWays = async (replying: Reply): Promise<ProviderError> => {
    const { thrown } = await read(replying)
    const called = await model.call(prompt).catch((failure: unknown) => failure)
    expect(String(called)).toBe(String(thrown))
    const shown = called as ProviderError
    expect(`${shown.message} ${shown.body} ${JSON.stringify(shown)}`).not.toContain(KEY)
    return shown
  }
  const json = 'application/json; charset=UTF-8'

  const wrongKey = info('ErrorInfo', { reason: 'API_KEY_INVALID', domain: 'googleapis.com' })
  const wait = info('RetryInfo', { retryDelay: '34.4s' })
  const soon = info('RetryInfo', { retryDelay: 'soon' })
  it.each<[string, string, object]>([
    ['an invalid key', errorBody(400, 'INVALID_ARGUMENT', [wrongKey]), { code: 'provider-auth' }],
    ['a bad request', errorBody(400, 'INVALID_ARGUMENT'), { code: 'provider-rejected' }],
    ['no permission', errorBody(403, 'PERMISSION_DENIED'), { code: 'provider-auth' }],
    ['an unknown model', errorBody(404, 'NOT_FOUND'), { code: 'provider-not-found' }],
    ['too much', errorBody(413, 'INVALID_ARGUMENT'), { code: 'provider-rejected' }],
    [
      'a quota',
      errorBody(429, 'RESOURCE_EXHAUSTED', [info('QuotaFailure', {}), wait]),
      { code: 'provider-rate-limit', retryAfterMs: 34_400 },
    ],
    [
      'a quota without a time',
      errorBody(429, 'RESOURCE_EXHAUSTED', [null, soon]),
      { code: 'provider-rate-limit' },
    ],
    ['overload', errorBody(503, 'UNAVAILABLE'), { code: 'provider-unavailable' }],
  ])('because of %s', async (_what, body, expected) => {
    const { error } = JSON.parse(body) as { error: { code: number } }
    const thrown = await bothWays({ status: error.code, type: json, chunks: [body] })
    const retryable = error.code === 429 || error.code >= 500
    expect(thrown).toMatchObject({
      provider: 'google',
      status: error.code,
      retryable,
      ...expected,
    })
    expect('retryAfterMs' in thrown).toBe('retryAfterMs' in expected)
    expect(thrown.message).toContain('No, [redacted].')
  })

  it('in a list is read too, and a header says when before the body does', async () => {
    const body = `[${errorBody(429, 'RESOURCE_EXHAUSTED', [info('RetryInfo', { retryDelay: '9s' })])}]`
    const headers = { 'retry-after': '4' }
    expect(await bothWays({ status: 429, type: json, chunks: [body] })).toMatchObject({
      retryAfterMs: 9000,
    })
    expect(await bothWays({ status: 429, type: json, headers, chunks: [body] })).toMatchObject({
      retryAfterMs: 4000,
    })
  })

  it('as a page or as half of an error says what came', async () => {
    const page = await bothWays({ status: 502, type: 'text/html', chunks: ['<html>Bad gateway'] })
    expect(page).toMatchObject({ code: 'provider-unavailable', status: 502 })
    expect(page.message).toContain('an HTML page')
    const half = await bothWays({ status: 500, type: json, chunks: ['{"error":{"code":50'] })
    expect(half).toMatchObject({ code: 'provider-unavailable', status: 500 })
  })

  it('inside an answer that began well rejects too', async () => {
    server.reply = { type: json, chunks: [errorBody(503, 'UNAVAILABLE')] }
    await expect(model.call(prompt)).rejects.toMatchObject({ code: 'provider-unavailable' })
  })

  it.each([
    ['HTML', 'text/html', '<!doctype html><p>Hello'],
    ['half an answer', json, JSON.stringify(WHOLE).slice(0, 100)],
  ])('of sorts: %s for JSON is refused', async (_what, type, body) => {
    server.reply = { type, chunks: [body] }
    await expect(model.call(prompt)).rejects.toMatchObject({ code: 'invalid-response' })
  })
})

describe('the next question', () => {
  it('has every signed part byte for byte where it was', async () => {
    const parts: JsonObject[] = [
      { text: 'Hm.', thought: true, thoughtSignature: 'a' },
      { text: 'First this.', thoughtSignature: 'b' },
      { executableCode: { language: 'PYTHON', code: 'print(1)' }, thoughtSignature: 'c' },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
      { functionCall: { id: 'x', name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'd' },
      { functionCall: { id: 'y', name: 'weather', args: { city: 'Bergen' } } },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' }, thoughtSignature: 'e' },
      { text: '', thoughtSignature: 'f' },
    ]
    const body = answer(parts, { groundingMetadata: { webSearchQueries: ['x'] } })
    for (const response of [await callOf(body), await streamOf([body])]) {
      const asked = response.results[0]!.message
      const responses = toolCallsOf(asked).map(({ id, name }) => ({ id, name, content: 'rain' }))
      server.requests = []
      server.reply = { type: 'application/json', chunks: [JSON.stringify(answer([]))] }
      await model.call({ messages: [question, asked, { role: 'tool', responses }] })
      const { contents } = JSON.parse(server.requests[0]!.body) as { contents: JsonObject[] }
      expect(contents[1]).toEqual({ role: 'model', parts })
      expect(JSON.stringify(contents[1])).toContain(JSON.stringify(parts[2]))
      const result = (id: string): JsonObject => ({
        functionResponse: { id, name: 'weather', response: { output: 'rain' } },
      })
      expect(contents[2]).toEqual({ role: 'user', parts: [result('x'), result('y')] })
    }
  })

  it('pairs calls without ids by name and order', async () => {
    const parts = ['Oslo', 'Bergen'].map((city) => ({
      functionCall: { name: 'weather', args: { city } },
    }))
    const { message } = (await callOf(answer(parts))).results[0]!
    const asked = {
      ...message,
      content: toolCallsOf(message).map((call, at) => ({ ...call, id: `ours_${at}` })),
    } as AssistantMessage
    const responses = toolCallsOf(asked).map(({ id, name }) => ({ id, name, content: id }))
    server.requests = []
    await model.call({ messages: [question, asked, { role: 'tool', responses }] })
    expect(server.requests[0]!.body).not.toContain('"id"')
    const { contents } = JSON.parse(server.requests[0]!.body) as { contents: JsonObject[] }
    expect(contents[2]!['parts']).toEqual(
      ['ours_0', 'ours_1'].map((output) => ({
        functionResponse: { name: 'weather', response: { output } },
      })),
    )
  })
})

describe('settings', () => {
  const variables = ['GEMINI_API_KEY', 'GOOGLE_API_KEY'] as const

  it('find the key in either variable, and say when there is none', () => {
    const before = variables.map((name) => process.env[name])
    for (const name of variables) delete process.env[name]
    try {
      expect(() => google('gemini-test')).toThrow(/GEMINI_API_KEY or GOOGLE_API_KEY is not set/)
      for (const name of variables) {
        process.env[name] = KEY
        expect(JSON.stringify(google('gemini-test'))).not.toContain(KEY)
        process.env[name] = ' '
      }
      expect(() => google('gemini-test')).toThrow(
        expect.objectContaining({ code: 'missing-api-key' }),
      )
    } finally {
      for (const [at, name] of variables.entries())
        if (before[at] === undefined) delete process.env[name]
        else process.env[name] = before[at]
    }
    const misspelt = { apiKey: KEY, baseURL: 'x' }
    expect(() => google('gemini-test', misspelt)).toThrow(/baseURL.*baseUrl/s)
  })

  it.each([
    ['gemini-3-flash-preview', { structuredOutput: true, mediaInResults: true, reasoning: true }],
    ['gemini-flash-latest', { structuredOutput: true, mediaInResults: true, tools: true }],
    ['gemini-4-pro', { structuredOutput: true, mediaInResults: true, strictTools: true }],
    ['gemini-2.5-flash', { structuredOutput: false, mediaInResults: false, reasoning: true }],
    ['gemini-2.5-flash-image', { tools: false, structuredOutput: false, media: true }],
    ['gemini-2.0-flash-001', { reasoning: false, structuredOutput: false, strictTools: false }],
    ['gemini-1.5-pro', { reasoning: false, files: true }],
    ['gemini-robotics-er-1.5-preview', { structuredOutput: false, tools: true }],
    ['models/gemma-3-27b-it', { tools: false, files: false, promptCaching: false }],
    ['gemma-4-31b', { tools: true }],
  ])('say what %s can do', (name, expected) => {
    const made = google(name, { apiKey: KEY })
    expect(made).toMatchObject({ provider: 'google', model: name, capabilities: expected })
    expect(made.capabilities.parallelOff ?? false).toBe(false)
  })

  it('may know better', () => {
    const made = google('gemini-2.5-pro', { apiKey: KEY, capabilities: { structuredOutput: true } })
    expect(made.capabilities).toMatchObject({ structuredOutput: true, mediaInResults: false })
  })
})
