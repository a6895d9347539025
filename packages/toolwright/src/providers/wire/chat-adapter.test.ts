/**
 * The adapter kit through a dialect that exists only here: one JSON value per line, calls whole and without
 * ids, arguments as objects. What is tested is what no provider should have to do itself.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ProviderError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { ChatModel, ModelCapabilities, Prompt } from '../../model/chat-model.ts'
import type { Transport, TransportRequest } from '../../ports/transport.ts'
import type { AnswerEvents } from './answer-events.ts'
import { chatAdapter } from './chat-adapter.ts'
import type { ChatDialect, StreamConverter } from './chat-dialect.ts'
import { LoweredSchemas } from './lowered-schemas.ts'
import { ToolCallAssembler } from './tool-call-assembler.ts'
import { wireSettings } from './wire-settings.ts'
import { argumentsText } from './wire-value.ts'

const response = (parts: ChatResponse['results'][0]['message']['content']): ChatResponse => ({
  results: [{ message: { role: 'assistant', content: parts }, finishReason: 'stop', metadata: {} }],
  usage: {},
  metadata: {},
})

function streamConverter(events: AnswerEvents): StreamConverter {
  const calls = new ToolCallAssembler(events)
  let said = ''
  let done = false
  return {
    hasEnded: false,
    get isComplete() {
      return done
    },
    take({ text, call, done: isDone }) {
      if (typeof text === 'string') {
        said += text
        events.text(text)
      }
      if (call !== undefined) {
        const { name, args } = call as { name: string; args: Json }
        calls.take({ name, arguments: argumentsText(args) })
      }
      done ||= isDone === true
    },
    finish() {
      const parts = [{ type: 'text', text: said } as const, ...calls.finish()]
      for (const part of parts) events.complete(part)
      return response(parts)
    },
  }
}

const strict = new LoweredSchemas('openai-strict')

const DIALECT: ChatDialect = {
  path: ({ model, stream }) => `/${model}/${stream ? 'stream' : 'call'}`,
  toWire: ({ messages, options, tools }) =>
    JSON.stringify({
      messages,
      temperature: options.temperature,
      schema: options.outputSchema && strict.lower(options.outputSchema),
      tools: tools.map(({ definition }) => definition.name),
    }),
  fromWire: (answer) => response((answer as { text: string }).text),
  streamConverter,
  framing: 'ndjson',
  output: { schemas: strict, unlowered: 'in words' },
}

interface Reply {
  readonly type?: string
  readonly chunks: readonly string[]
  /** What happens after the last chunk. Default: the body ends. */
  readonly then?: 'hangs' | 'breaks'
}

interface World {
  readonly model: ChatModel
  readonly requests: TransportRequest[]
  /** How often a body was left. */
  closed(): number
}

/** A model whose provider answers so; `never` does not answer at all. */
function world(reply: Reply | 'never', capabilities: ModelCapabilities = {}): World {
  const requests: TransportRequest[] = []
  let closed = 0
  const body = ({ chunks, then }: Reply): AsyncIterable<Uint8Array> => {
    const left = [...chunks]
    let leave: (() => void) | undefined
    const after = (): Promise<IteratorResult<Uint8Array>> => {
      if (then === 'breaks') return Promise.reject(broken)
      if (then === undefined) return Promise.resolve({ done: true, value: undefined })
      return new Promise((resolve) => (leave = () => resolve({ done: true, value: undefined })))
    }
    const iterator = {
      next: () => {
        const chunk = left.shift()
        if (chunk === undefined) return after()
        return Promise.resolve({ done: false as const, value: new TextEncoder().encode(chunk) })
      },
      return: () => {
        closed++
        leave?.()
        return Promise.resolve({ done: true as const, value: undefined })
      },
    }
    return { [Symbol.asyncIterator]: () => iterator }
  }
  const transport: Transport = async (request) => {
    requests.push(request)
    if (reply === 'never')
      return new Promise((_resolve, reject) =>
        request.signal?.addEventListener('abort', () => {
          closed++
          reject(request.signal!.reason as Error)
        }),
      )
    const { type = 'application/x-ndjson' } = reply
    const header = (name: string): string | undefined =>
      name === 'content-type' ? type : undefined
    return { status: 200, header, body: body(reply) }
  }
  const settings = wireSettings(
    {
      provider: 'acme',
      factory: 'acme',
      baseUrl: 'http://acme.test',
      apiKeyOptional: true,
      authHeaders: () => ({}),
    },
    'm1',
    { transport, options: { temperature: 0.5 }, retry: false },
  )
  const model = chatAdapter({
    settings,
    models: { usual: capabilities, families: [] },
    dialect: DIALECT,
  })
  return { model, requests, closed: () => closed }
}

const broken = new ProviderError('provider-unreachable', 'Gone.', {
  provider: 'acme',
  retryable: true,
})
const lines = (...records: JsonObject[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')
const prompt: Prompt = { messages: [{ role: 'user', content: 'Hi' }] }

async function read(model: ChatModel): Promise<{ events: ChatEvent[]; thrown?: any }> {
  const events: ChatEvent[] = []
  try {
    for await (const event of model.stream(prompt)) events.push(event)
    return { events }
  } catch (thrown) {
    return { events, thrown }
  }
}

describe('a question', () => {
  it('has the options merged, the path of its dialect, and the model that was asked for', async () => {
    const { model, requests } = world({ type: 'application/json', chunks: ['{"text":"Yes"}'] })
    await model.call({ ...prompt, options: { model: 'm2' } })
    expect(requests[0]!.url).toBe('http://acme.test/m2/call')
    expect(JSON.parse(requests[0]!.body)).toMatchObject({ temperature: 0.5, tools: [] })
  })

  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    required: ['a'],
  } as const
  const anything = { type: 'object', properties: { a: {} } } as const
  const able = { structuredOutput: true }

  it.each([
    ['as a schema to a model that takes it', able, schema, true],
    ['in words what the dialect cannot say', able, anything, false],
    ['in words to a model that takes none', {}, schema, false],
  ] as const)('asks %s', async (...[, capabilities, outputSchema, isNative]) => {
    const reply = {
      type: 'application/json',
      chunks: ['{"text":"{\\"a\\":\\"x\\",\\"b\\":null}"}'],
    }
    const { model, requests } = world(reply, capabilities)
    const answer = await model.call({ ...prompt, options: { outputSchema } })
    const sent = JSON.parse(requests[0]!.body) as { messages: unknown; schema?: unknown }
    expect(sent.schema !== undefined).toBe(isNative)
    expect(JSON.stringify(sent.messages).includes('must be JSON that fits')).toBe(!isNative)
    // Null for what was left out is raised only where the schema had made it so.
    expect(answer.results[0]!.message.content).toBe(isNative ? '{"a":"x"}' : '{"a":"x","b":null}')
  })
})

describe('a stream of lines', () => {
  it('becomes events, with calls that came whole, as objects, and without ids', async () => {
    const { model } = world({
      chunks: [
        lines({ text: 'Let ' }, { text: 'me' }, { text: '' }),
        lines({ call: { name: 'a', args: { x: 1 } } }, { call: { name: 'a', args: { x: 2 } } }),
        lines({ call: { name: 'b', args: null } }, { done: true }),
      ],
    })
    const { events } = await read(model)
    expect(events.slice(0, -1)).toEqual([
      { type: 'text-delta', text: 'Let ' },
      { type: 'text-delta', text: 'me' },
      { type: 'tool-call-start', id: '', name: 'a' },
      { type: 'tool-call-delta', id: '', delta: '{"x":1}' },
      { type: 'tool-call-start', id: '', name: 'a' },
      { type: 'tool-call-delta', id: '', delta: '{"x":2}' },
      { type: 'tool-call-start', id: '', name: 'b' },
      ...[
        { name: 'a', arguments: '{"x":1}' },
        { name: 'a', arguments: '{"x":2}' },
        { name: 'b', arguments: '{}' },
      ].map((call) => ({ type: 'tool-call', toolCall: { type: 'tool-call', id: '', ...call } })),
    ])
  })

  it('is incomplete when it ends or breaks before it is done, and says inside which call', async () => {
    const start = lines({ text: 'Hm' }, { call: { name: 'a', args: {} } })
    for (const then of [undefined, 'breaks'] as const) {
      const { events, thrown } = await read(world({ chunks: [start], ...(then && { then }) }).model)
      expect(events.map(({ type }) => type)).not.toContain('response')
      expect(thrown).toMatchObject({ code: 'incomplete-stream', partial: 'Hm', retryable: true })
      expect(thrown.message).toContain('inside the call of tool "a", after 2 events')
      expect(thrown.cause).toBe(then && broken)
    }
  })

  it('is whole once it is done, whatever comes then', async () => {
    const whole = lines({ text: 'Yes' }, { done: true })
    const expected = await read(world({ chunks: [whole] }).model)
    expect(expected.events.at(-1)).toMatchObject({ type: 'response' })
    expect(await read(world({ chunks: [whole], then: 'breaks' }).model)).toEqual(expected)
    expect(await read(world({ chunks: [`${whole}no json\n`] }).model)).toEqual(expected)
  })

  it('shows what came before a record that cannot be read, then says which one that was', async () => {
    const { events, thrown } = await read(
      world({ chunks: [`${lines({ text: 'a' })}oops\n${lines({ text: 'b' })}`], then: 'hangs' })
        .model,
    )
    expect(events).toEqual([{ type: 'text-delta', text: 'a' }])
    expect(thrown).toMatchObject({ code: 'invalid-response', partial: 'a' })
    expect(thrown.message).toContain('Event 2 of the stream of acme is not JSON: "oops"')
  })

  it('reports the errors of a provider, however it marks them', async () => {
    const errors: readonly JsonObject[] = [
      { error: 'Overloaded' },
      { error: { message: 'Overloaded' } },
      { type: 'error', message: 'Overloaded' },
      { object: 'error', message: 'Overloaded' },
    ]
    for (const error of errors) {
      const { thrown } = await read(world({ chunks: [lines(error)], then: 'hangs' }).model)
      expect(thrown).toMatchObject({ code: 'provider-unavailable' })
      expect(thrown.message).toContain('Overloaded')
    }
  })
})

describe('a stream that is left', () => {
  const chunks = [lines({ text: 'a' })]

  it('is closed between two events', async () => {
    const { model, closed } = world({ chunks, then: 'hangs' })
    for await (const _event of model.stream(prompt)) break
    expect(closed()).toBe(1)
  })

  it('is closed while the next event is waited for', async () => {
    const { model, closed } = world({ chunks, then: 'hangs' })
    const events = model.stream(prompt)[Symbol.asyncIterator]()
    await events.next()
    const waiting = events.next()
    await nextTurn()
    await events.return!()
    expect(closed()).toBe(1)
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })

  it('is closed before the answer began', async () => {
    const { model, closed, requests } = world('never')
    const events = model.stream(prompt)[Symbol.asyncIterator]()
    const waiting = events.next()
    await nextTurn()
    expect(requests).toHaveLength(1)
    await events.return!()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(closed()).toBe(1)
  })

  it('asks nobody when it is left before it began', async () => {
    const { model, requests } = world({ chunks })
    const events = model.stream(prompt)[Symbol.asyncIterator]()
    await events.return!()
    expect(await events.next()).toEqual({ done: true, value: undefined })
    expect(requests).toEqual([])
  })

  it('rejects with the reason of an abort', async () => {
    const { model, closed } = world('never')
    const controller = new AbortController()
    const events = model.stream(prompt, { signal: controller.signal })[Symbol.asyncIterator]()
    const waiting = events.next()
    await nextTurn()
    controller.abort('enough')
    await expect(waiting).rejects.toBe('enough')
    expect(closed()).toBe(1)
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })
})
