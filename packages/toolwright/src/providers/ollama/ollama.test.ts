import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ProviderError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import { toolCallsOf } from '../../messages/reading.ts'
import type { ChatModel, ChatOptions } from '../../model/chat-model.ts'
import type { Transport } from '../../ports/transport.ts'
import { ollama } from './index.ts'
import {
  readInPieces,
  readStream,
  replyServer,
  type ReadStream,
  type Reply,
} from '../../../../../test/wire/reply-server.ts'

const KEY = 'test-key-0123456789'

const server = replyServer('application/x-ndjson')
let baseUrl: string
let model: ChatModel

beforeAll(() => {
  baseUrl = server.origin
  model = ollama('qwen3:8b', { apiKey: KEY, baseUrl, retry: false })
})

const prompt = { messages: [{ role: 'user', content: 'Hi' }] } as const

const linesOf = (records: readonly JsonObject[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

const read = (replying: Reply): Promise<ReadStream> => {
  server.reply = replying
  return readStream(model, prompt)
}
const readLines = (records: readonly JsonObject[], end?: Reply['end']): Promise<ReadStream> =>
  read({ chunks: [linesOf(records)], ...(end && { end }) })

async function streamed(records: readonly JsonObject[]): Promise<ChatResponse> {
  const { events, thrown } = await readLines(records)
  const last = events.at(-1)
  if (last?.type === 'response') return last.response
  throw thrown
}
const called = (answer: Json): Promise<ChatResponse> => {
  server.reply = { type: 'application/json', chunks: [JSON.stringify(answer)] }
  return model.call(prompt)
}

const line = (message: JsonObject, fields: JsonObject = {}): JsonObject => ({
  model: 'qwen3:8b',
  created_at: `2026-01-01T00:00:0${Object.keys(message).length}Z`,
  message: { role: 'assistant', content: '', ...message },
  done: false,
  ...fields,
})
const DURATIONS = {
  total_duration: 5_000_000_000,
  load_duration: 1_000_000_000,
  prompt_eval_duration: 1_000_000_000,
  eval_duration: 3_000_000_000,
}
const ENDED = {
  created_at: '2026-01-01T00:00:09Z',
  done: true,
  done_reason: 'stop',
  ...DURATIONS,
  prompt_eval_count: 26,
  eval_count: 83,
}
const end = (fields: JsonObject = {}): JsonObject => line({}, { ...ENDED, ...fields })
const callOf = (fields: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  ...more,
  function: { name: 'weather', arguments: { city: 'Tromsø 🌊' }, ...fields },
})

const STREAM = [
  line({ thinking: 'Oslo, ' }),
  line({ thinking: 'then. 🌧' }),
  line({ content: 'I look it up: ' }),
  line({ content: '“été”.' }),
  line({ tool_calls: [callOf({ index: 0 })] }),
  line({ tool_calls: [callOf({ index: 1, name: 'clock', arguments: {} })] }),
  end(),
]
const WHOLE = line(
  {
    thinking: 'Oslo, then. 🌧',
    content: 'I look it up: “été”.',
    tool_calls: [callOf(), callOf({ name: 'clock', arguments: {} })],
  },
  ENDED,
)
const WEATHER = { type: 'tool-call', id: '', name: 'weather', arguments: '{"city":"Tromsø 🌊"}' }
const CLOCK = { type: 'tool-call', id: '', name: 'clock', arguments: '{}' }
const THOUGHT = {
  type: 'reasoning',
  text: 'Oslo, then. 🌧',
  providerData: { field: 'thinking' },
}

describe('an answer', () => {
  it('is read part by part, with counts and durations', async () => {
    expect(await called(WHOLE)).toEqual({
      model: 'qwen3:8b',
      results: [
        {
          message: {
            role: 'assistant',
            content: [THOUGHT, { type: 'text', text: 'I look it up: “été”.' }, WEATHER, CLOCK],
          },
          finishReason: 'tool-calls',
          rawFinishReason: 'stop',
          metadata: {},
        },
      ],
      usage: { inputTokens: 26, outputTokens: 83, totalTokens: 109 },
      metadata: { created_at: '2026-01-01T00:00:09Z', ...DURATIONS },
    })
    expect(JSON.parse(server.requests[0]!.body)).toMatchObject({ stream: false })
    expect(server.requests[0]!.url).toBe('/api/chat')
  })

  it('is told as it comes, and in the end is the same', async () => {
    const { events } = await readLines(STREAM)
    expect(JSON.parse(server.requests[0]!.body)).toMatchObject({ stream: true })
    expect(events).toEqual([
      { type: 'reasoning-delta', text: 'Oslo, ' },
      { type: 'reasoning-delta', text: 'then. 🌧' },
      { type: 'text-delta', text: 'I look it up: ' },
      { type: 'text-delta', text: '“été”.' },
      { type: 'tool-call-start', id: '', name: 'weather' },
      { type: 'tool-call-delta', id: '', delta: '{"city":"Tromsø 🌊"}' },
      { type: 'tool-call-start', id: '', name: 'clock' },
      { type: 'tool-call-delta', id: '', delta: '{}' },
      { type: 'part', part: THOUGHT },
      { type: 'tool-call', toolCall: WEATHER },
      { type: 'tool-call', toolCall: CLOCK },
      { type: 'response', response: await called(WHOLE) },
    ])
  })

  it('is the same however its bytes are cut, and without its last line end', async () => {
    const bytes = new TextEncoder().encode(linesOf(STREAM))
    const expected = await read({ chunks: [bytes] })
    const again = (transport: Transport): Promise<ReadStream> =>
      readStream(ollama('qwen3:8b', { apiKey: KEY, baseUrl, retry: false, transport }), prompt)
    for await (const [cut, found] of readInPieces(bytes, again))
      expect(found, cut).toEqual(expected)
    const single = Array.from(bytes.subarray(0, -1), (byte) => Uint8Array.of(byte))
    expect(await read({ chunks: single })).toEqual(expected)
  })

  it.each([undefined, 'reset'] as const)(
    'that breaks off at any byte before its last line is no answer (%s)',
    async (how) => {
      const bytes = new TextEncoder().encode(linesOf(STREAM))
      const complete = bytes.length - 1
      const cuts = [...STREAM.keys()].map((at) => linesOf(STREAM.slice(0, at)))
      const ends = cuts.map((text) => new TextEncoder().encode(text).length)
      for (let at = 0; at < complete; at += how === 'reset' ? 97 : 13) ends.push(at)
      for (const at of ends) {
        const chunks = [bytes.subarray(0, at)]
        const { events, thrown } = await read({ chunks, ...(how && { end: how }) })
        expect(thrown, `after ${at}`).toMatchObject({
          code: expect.stringMatching(/^(?:incomplete-stream|invalid-response|provider-un)/),
        })
        const types = events.map(({ type }) => type)
        expect(types).not.toContain('tool-call')
        expect(types).not.toContain('response')
      }
    },
  )

  it('is complete with its last line, whatever happens to the connection then', async () => {
    const expected = await readLines(STREAM)
    expect(await readLines(STREAM, 'reset')).toEqual(expected)
    expect(await readLines(STREAM, 'hold')).toEqual(expected)
    await server.closed
    expect(await readLines([...STREAM, line({ content: 'late' })])).toEqual(expected)
  })

  it('that was not streamed although a stream was asked for is read all the same', async () => {
    const { events } = await read({ type: 'application/json', chunks: [JSON.stringify(WHOLE)] })
    expect(events.at(-1)).toEqual({ type: 'response', response: await called(WHOLE) })
  })

  it.each([
    [{ done_reason: 'stop' }, 'stop'],
    [{ done_reason: 'length' }, 'length'],
    [{ done_reason: 'load' }, 'other'],
    [{ done_reason: 'unload' }, 'other'],
    [{ done_reason: 'something new' }, 'other'],
    [{ done_reason: null }, 'stop'],
    [{ done_reason: '' }, 'stop'],
  ])('that ends with %j has the finish reason %s', async (fields, expected) => {
    const whole = await called(line({ content: 'Hi' }, { ...ENDED, ...fields }))
    expect(whole.results[0]!.finishReason).toBe(expected)
    expect(await streamed([line({ content: 'Hi' }), end(fields)])).toEqual(whole)
  })

  it('keeps images and the likelihood of its words', async () => {
    const logprobs = [
      { token: 'H', logprob: -0.1 },
      { token: 'i', logprob: -0.2 },
    ]
    const whole = await called(
      line({ content: 'Hi', images: ['aGk=', 'eA=='] }, { ...ENDED, logprobs }),
    )
    expect(whole.results[0]).toMatchObject({
      message: {
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'provider', kind: 'images', data: ['aGk=', 'eA=='] },
        ],
      },
      metadata: { logprobs },
    })
    const pieces = [
      line({ content: 'H', images: ['aGk='] }, { logprobs: logprobs.slice(0, 1) }),
      line({ content: 'i', images: ['eA=='] }, { logprobs: logprobs.slice(1) }),
    ]
    expect(await streamed([...pieces, end()])).toEqual(whole)
  })

  it('may have more of anything than a function takes arguments', async () => {
    const images = Array.from({ length: 200_000 }, () => 'eA==')
    const response = await streamed([line({ images }, ENDED)])
    expect(response.results[0]!.message.content).toMatchObject([{ kind: 'images' }])
  })

  it('without counts has no usage, and without anything no content', async () => {
    const bare = { message: { role: 'assistant', content: null, tool_calls: null }, done: true }
    const whole = await called(bare)
    expect(whole).toMatchObject({
      usage: {},
      results: [{ message: { content: '' }, finishReason: 'stop' }],
    })
    expect(await streamed([bare])).toEqual(whole)
  })

  it.each<Json>([{ hello: 'world' }, [], null, 'ok', { message: 'ok' }])(
    'that is none is refused: %j',
    async (answer) => {
      await expect(called(answer)).rejects.toMatchObject({ code: 'invalid-response' })
    },
  )

  it.each(['x', 7, true])('with calls that are no list is refused: %j', async (tool_calls) => {
    const answer = line({ tool_calls }, ENDED)
    await expect(called(answer)).rejects.toMatchObject({ code: 'invalid-response' })
    await expect(streamed([answer])).rejects.toMatchObject({ code: 'invalid-response' })
  })
})

describe('the calls of an answer', () => {
  async function bothWays(lists: readonly (readonly JsonObject[])[]): Promise<unknown[]> {
    const whole = toolCallsOf(await called(line({ tool_calls: lists.flat() }, ENDED)))
    const stream = await streamed([...lists.map((list) => line({ tool_calls: list })), end()])
    expect(toolCallsOf(stream)).toEqual(whole)
    return whole.map(({ id, name, arguments: args }) => [id, name, args])
  }

  it('have arguments of any shape, as JSON text', async () => {
    const inputs: Json[] = [
      {},
      null,
      '',
      '{"a":1}',
      '"{\\"a\\":1}"',
      '"no object"',
      '{"cut',
      [1],
      { a: [1] },
    ]
    const calls = await bothWays([inputs.map((input) => callOf({ arguments: input }))])
    expect(calls.map((call) => (call as string[])[2])).toEqual([
      '{}',
      '{}',
      '{}',
      '{"a":1}',
      '{"a":1}',
      '"no object"',
      '{"cut',
      '[1]',
      '{"a":[1]}',
    ])
  })

  it('keep every digit of their numbers', async () => {
    const text = JSON.stringify(line({ tool_calls: [callOf()] }, ENDED))
    const body = text.replace('"Tromsø 🌊"', '12345678901234567890')
    server.reply = { type: 'application/json', chunks: [body] }
    const [whole] = toolCallsOf(await model.call(prompt))
    expect(whole!.arguments).toBe('{"city":12345678901234567890}')
    const { events } = await read({ chunks: [`${body}\n`] })
    expect(events).toContainEqual({ type: 'tool-call', toolCall: whole })
  })

  it.each(['[', '{"a":'])('may be nested more deeply than can be written: %s', async (opening) => {
    const deep = `${opening.repeat(100_000)}1${(opening === '[' ? ']' : '}').repeat(100_000)}`
    const text = JSON.stringify(line({ tool_calls: [callOf()] }, ENDED))
    const body = text.replace('{"city":"Tromsø 🌊"}', deep)
    server.reply = { type: 'application/json', chunks: [body] }
    const [whole] = toolCallsOf(await model.call(prompt))
    expect(whole!.arguments).toBe(deep)
    const { events } = await read({ chunks: [`${body}\n`] })
    expect(events).toContainEqual({ type: 'tool-call', toolCall: whole })
  })

  it('have the ids of servers that give them, and are told apart without', async () => {
    const one = callOf({}, { id: 'call_a' })
    expect(await bothWays([[one], [callOf({ name: 'clock' }, { id: 'call_b' })]])).toEqual([
      ['call_a', 'weather', WEATHER.arguments],
      ['call_b', 'clock', WEATHER.arguments],
    ])
    // Equal calls side by side are two, and so are equal calls that nothing numbers.
    expect(await bothWays([[callOf({ index: 0 }), callOf({ index: 0 })]])).toHaveLength(2)
    expect(await bothWays([[callOf()], [callOf()]])).toHaveLength(2)
    const numbered = [[callOf({ index: 0 })], [callOf({ index: 0, arguments: {} })]]
    expect(await bothWays(numbered)).toHaveLength(2)
  })

  it('are one when a line is repeated', async () => {
    for (const call of [callOf({ index: 0 }), callOf({}, { id: 'call_a' })]) {
      const repeated = line({ tool_calls: [call] })
      const response = await streamed([repeated, repeated, end()])
      expect(toolCallsOf(response)).toHaveLength(1)
    }
  })

  it('may stand bare, alone, or in the last line', async () => {
    const bare = { name: 'weather', arguments: { city: 'Oslo' } }
    expect(await bothWays([[bare]])).toEqual([['', 'weather', '{"city":"Oslo"}']])
    const single = line({ tool_calls: callOf() }, ENDED)
    expect(toolCallsOf(await called(single))).toEqual([WEATHER])
    expect(toolCallsOf(await streamed([single]))).toEqual([WEATHER])
  })
})

it('keeps the digits of an input in a line that nearly repeats the one before', async () => {
  const text = (word: string, time: number): string =>
    JSON.stringify(line({ content: word }, { created_at: `t${time}` }))
  const call = `{"model":"qwen3:8b","created_at":"t3","message":{"tool_calls":[{"function":{"name":"f","arguments":{"id":12345678901234567890}}}],"role":"assistant","content":""},"done":false}`
  const lines = [text('a', 1), text('b', 2), call, JSON.stringify(end())]
  const { events } = await read({ chunks: [lines.join('\n')] })
  const last = events.at(-1)
  expect(last?.type === 'response' && toolCallsOf(last.response)).toMatchObject([
    { arguments: '{"id":12345678901234567890}' },
  ])
})

describe('a failure', () => {
  /** What `call` and `stream` reject with, which must be the same. */
  async function failure(replying: Reply, asked = model): Promise<ProviderError> {
    server.reply = replying
    const caught = async (run: () => Promise<unknown>): Promise<ProviderError> =>
      (await run().catch((thrown: unknown) => thrown)) as ProviderError
    const whole = await caught(() => asked.call(prompt))
    const stream = await caught(async () => {
      for await (const _event of asked.stream(prompt));
    })
    expect(whole).toBeInstanceOf(Error)
    expect({ code: stream.code, message: stream.message }).toEqual({
      code: whole.code,
      message: whole.message,
    })
    return whole
  }
  const refused = (status: number, error: string): Promise<ProviderError> =>
    failure({ status, type: 'application/json', chunks: [JSON.stringify({ error })] })

  it('of a model that is not there says how to get it', async () => {
    const error = await refused(404, `model 'qwen3:8b' not found`)
    expect(error).toMatchObject({ code: 'provider-not-found', status: 404, retryable: false })
    expect(error.message).toContain("model 'qwen3:8b' not found.")
    expect(error.message).toContain('ollama pull qwen3:8b')
  })

  it('of an address with a path says what the address is', async () => {
    const error = await failure({ status: 404, type: 'text/plain', chunks: ['404 page not found'] })
    expect(error.code).toBe('provider-not-found')
    expect(error.message).toContain('http://127.0.0.1:11434')
    expect(error.message).not.toContain('ollama pull')
  })

  it('of a model without tools names promptedTools', async () => {
    const error = await refused(400, 'registry.ollama.ai/library/gemma3:4b does not support tools')
    expect(error).toMatchObject({ code: 'provider-no-tools', status: 400, retryable: false })
    expect(error.message).toContain('promptedTools(model)')
  })

  it.each([
    [400, 'invalid message content type: <nil>', 'provider-rejected', false],
    [400, '"llama3" does not support thinking', 'provider-rejected', false],
    [401, 'unauthorized', 'provider-auth', false],
    [413, 'request body too large', 'provider-rejected', false],
    [429, 'too many requests', 'provider-rate-limit', true],
    [500, 'model runner has unexpectedly stopped', 'provider-unavailable', true],
    [503, 'server busy, please try again', 'provider-unavailable', true],
  ])('with status %i keeps its words: %s', async (status, words, ...[code, retryable]) => {
    const error = await refused(status, words)
    expect(error).toMatchObject({ code, status, retryable, provider: 'ollama' })
    expect(error.message).toContain(words)
  })

  it('honours Retry-After', async () => {
    const headers = { 'retry-after': '7' }
    const chunks = ['{"error":"too many requests"}']
    const error = await failure({ status: 429, type: 'application/json', headers, chunks })
    expect(error.retryAfterMs).toBe(7000)
  })

  it.each([
    ['an HTML page', { type: 'text/html', chunks: ['<!doctype html><p>Sign in'] }],
    ['an HTML page with a status', { status: 502, type: 'text/html', chunks: ['<html>Bad'] }],
    ['cut JSON', { type: 'application/json', chunks: ['{"model":"m","mess'] }],
    ['an empty body', { type: 'application/json', chunks: [] }],
    ['a JSON error with status 200', { type: 'application/json', chunks: ['{"error":"oh"}'] }],
  ] satisfies [string, Reply][])('by %s is an error of the catalogue', async (_what, replying) => {
    server.reply = replying
    const code = expect.stringMatching(/^(?:invalid-response|provider-unavailable)$/)
    await expect(model.call(prompt)).rejects.toMatchObject({ code })
    expect((await read(replying)).thrown).toMatchObject({ code })
  })

  it('inside a stream keeps what was said before, and runs nothing', async () => {
    const records = [...STREAM.slice(0, 5), { error: 'an error was encountered: out of memory' }]
    const { events, thrown } = await readLines(records)
    expect(thrown).toMatchObject({ code: 'provider-unavailable', provider: 'ollama' })
    expect((thrown as Error).message).toContain('out of memory')
    expect(events.filter(({ type }) => type === 'text-delta')).toHaveLength(2)
    expect(events.map(({ type }) => type)).not.toContain('tool-call')
  })

  it.each(['no JSON', '[1]', '{"message":{"content":"a"},', 'data: {}'])(
    'by a line that is none is one too: %s',
    async (text) => {
      const { thrown } = await read({ chunks: [linesOf(STREAM.slice(0, 3)), `${text}\n`] })
      expect(thrown).toMatchObject({ code: 'invalid-response', partial: 'I look it up: ' })
    },
  )

  it('to reach the server says how to start it', async () => {
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const { port } = gone.address() as AddressInfo
    await new Promise((resolve) => gone.close(resolve))
    const nobody = ollama('m', { baseUrl: `http://127.0.0.1:${port}`, retry: false })
    const error = await failure({ chunks: [] }, nobody)
    expect(error).toMatchObject({ code: 'provider-unreachable', retryable: true })
    expect(error.message).toContain(`127.0.0.1:${port}`)
    expect(error.message).toContain('ollama serve')
  })

  it('never shows the key', async () => {
    const error = await refused(404, `model not found for ${KEY}`)
    const shown = `${error.message} ${error.body} ${String(error.cause)} ${JSON.stringify(error)}`
    expect(shown).not.toContain(KEY)
    expect(JSON.stringify(model)).not.toContain(KEY)
  })
})

describe('a forced choice', () => {
  const tool = {
    definition: { name: 'weather', description: 'x', inputSchema: { type: 'object' } },
    metadata: {},
    call: () => Promise.resolve(''),
  } as never

  async function notices(toolChoice: ChatOptions['toolChoice']): Promise<unknown[]> {
    const asked = { ...prompt, options: { tools: [tool], toolChoice } }
    const told: ChatEvent[] = []
    server.reply = { type: 'application/json', chunks: [JSON.stringify(WHOLE)] }
    await model.call(asked, { emit: (event) => void told.push(event) })
    server.reply = { chunks: [linesOf(STREAM)] }
    const events: ChatEvent[] = []
    for await (const event of model.stream(asked)) events.push(event)
    expect(events.filter(({ type }) => type === 'notice')).toEqual(told)
    return told
  }

  it('is a wish here, and told as one', async () => {
    expect(await notices('required')).toMatchObject([{ code: 'tool-choice-not-supported' }])
    const [notice] = await notices({ tool: 'weather' })
    expect(notice).toMatchObject({ message: expect.stringContaining('"weather"') })
    expect(await notices('auto')).toEqual([])
    expect(await notices('none')).toEqual([])
  })
})
