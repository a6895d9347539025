/**
 * A model of a program's own may leave out usage, metadata, ids, fields and whole answers, or return what is no
 * answer at all. Whatever it does is read sanely or an error of the catalogue, never a TypeError from inside.
 */
import { describe, expect, it } from 'vitest'
import {
  aggregate,
  ChatClient,
  chatMemoryAdvisor,
  fallbackModel,
  loggingAdvisor,
  messageWindowMemory,
  ToolwrightError,
  tool,
  withToolExecution,
  type ChatEvent,
  type ChatModel,
  type ChatResponse,
  type Json,
} from 'toolwright'
import { recordingObserver, scriptedModel } from 'toolwright/testing'
import { eventsOf } from '../e2e/scenario.ts'
import { spoiled } from './wrong-kind.ts'

const CALL: Json = { type: 'tool-call', id: 'c1', name: 'look', arguments: '{"at":"a"}' }
const ANSWER: Json = {
  results: [
    {
      message: {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'So', providerData: { s: 1 } },
          { type: 'text', text: 'Hm.' },
          { type: 'provider', kind: 'search', data: { q: 1 } },
          CALL,
        ],
      },
      finishReason: 'tool-calls',
      metadata: {},
    },
  ],
  usage: { inputTokens: 1, outputTokens: 2 },
  metadata: {},
}
const EVENTS: readonly Json[] = [
  { type: 'reasoning-delta', text: 'So' },
  { type: 'text-delta', text: 'Hm.' },
  { type: 'tool-call-start', id: 'c1', name: 'look' },
  { type: 'tool-call-delta', id: 'c1', delta: '{"at":"a"}' },
  { type: 'part', part: { type: 'provider', kind: 'search', data: 1 } },
  { type: 'tool-call', toolCall: CALL },
  { type: 'notice', code: 'odd', message: 'Odd.' },
  { type: 'response', response: ANSWER },
]
const LAST: ChatResponse = {
  results: [
    { message: { role: 'assistant', content: 'Done.' }, finishReason: 'stop', metadata: {} },
  ],
  usage: {},
  metadata: {},
}

/** Says `first` in its first answer, and "Done." in every other. */
function modelOf(first: {
  readonly answer?: unknown
  readonly events?: readonly unknown[]
}): ChatModel {
  let asked = 0
  return {
    provider: 'own',
    model: 'm',
    capabilities: {},
    options: {},
    call: async () => (asked++ === 0 ? (first.answer as ChatResponse) : LAST),
    async *stream() {
      if (asked++ === 0) yield* (first.events ?? []) as readonly ChatEvent[]
      else yield { type: 'response', response: LAST }
    },
  }
}

const looking = (ran: unknown[] = []) =>
  tool({
    name: 'look',
    input: { type: 'object', properties: { at: { type: 'string' } } },
    execute(input) {
      ran.push(input)
      return 'seen'
    },
  })

async function thrownBy(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (thrown) {
    return ToolwrightError.is(thrown) ? undefined : thrown
  }
}

type Ask = (model: ChatModel, mode: 'call' | 'stream') => Promise<unknown>

const asked = (client: ChatClient): ((mode: 'call' | 'stream') => Promise<unknown>) => {
  const request = client.prompt('Go').tools(looking()).conversation('c')
  return async (mode) => {
    if (mode === 'call') return request.call().content()
    const stream = request.stream()
    for await (const _event of stream);
    for await (const _text of stream.content());
  }
}

const WAYS: Record<string, Ask> = {
  'by a client': (model, mode) => asked(ChatClient.create(model))(mode),
  'by a client with memory, logging and an observer': (model, mode) => {
    const logger = { content: true, debug() {}, info() {}, warn() {}, error() {} }
    const advisors = [
      chatMemoryAdvisor(messageWindowMemory(), { storeToolExchange: true }),
      loggingAdvisor({ logger }),
    ]
    const observer = recordingObserver()
    return asked(ChatClient.create(model, { advisors, logger, observer }))(mode)
  },
  'as withToolExecution()': async (model, mode) => {
    const prompt = { messages: [], options: { tools: [looking()] } }
    const executing = withToolExecution(model)
    if (mode === 'call') await executing.call(prompt)
    else for await (const _event of executing.stream(prompt));
  },
  'as fallbackModel()': (model, mode) =>
    asked(ChatClient.create(fallbackModel([model, modelOf({ answer: LAST })])))(mode),
}

describe('any part of an answer of any kind is read sanely, or an error of the catalogue', () => {
  for (const [way, ask] of Object.entries(WAYS)) {
    it(`in one piece, asked ${way}`, async () => {
      for (const { what, value } of spoiled(ANSWER))
        expect(await thrownBy(() => ask(modelOf({ answer: value }), 'call')), what).toBeUndefined()
    })

    it(`in events, asked ${way}`, async () => {
      for (const [index, event] of EVENTS.entries())
        for (const { what, value } of spoiled(event)) {
          const model = modelOf({ events: EVENTS.with(index, value as Json) })
          const thrown = await thrownBy(() => ask(model, 'stream'))
          expect(thrown, `event ${index}: ${what}`).toBeUndefined()
        }
    })
  }
})

describe('a model that', () => {
  const call = { type: 'tool-call', name: 'look', arguments: { at: 'a' } }
  const bare = { results: [{ message: { content: [call, { ...call, arguments: undefined }] } }] }

  it('leaves out usage, metadata, role, finish reason and ids, and gives arguments as objects, is understood', async () => {
    const events = [
      { type: 'tool-call-start', name: 'look' },
      { type: 'tool-call', toolCall: call },
      { type: 'tool-call', toolCall: { ...call, arguments: undefined } },
      { type: 'response', response: bare },
    ]
    for (const mode of ['call', 'stream'] as const) {
      const ran: unknown[] = []
      const request = ChatClient.create(modelOf({ answer: bare, events }))
        .prompt('Go')
        .tools(looking(ran))
      const run = mode === 'call' ? request.call() : request.stream()
      const { response, messages, rounds } = await run.result()
      expect(ran).toEqual([{ at: 'a' }, {}])
      expect(response).toMatchObject({ usage: {}, metadata: {} })
      expect(rounds[0]!.results[0]!.finishReason).toBe('tool-calls')
      const told = messages.find((message) => message.role === 'tool')!
      const ids = told.responses.map(({ id }) => id)
      expect(new Set(ids).size).toBe(2)
      const seen: ChatEvent[] = []
      for await (const event of run) seen.push(event)
      expect(eventsOf(seen, 'tool-call').map(({ toolCall }) => toolCall.id)).toEqual(ids)
      expect(eventsOf(seen, 'notice')).toEqual([])
    }
  })

  it('returns no generation at all is an error that says so', async () => {
    for (const answer of [undefined, null, 'Hello', [], {}, { results: [] }, { results: [{}] }]) {
      const client = ChatClient.create(
        modelOf({ answer, events: [{ type: 'response', response: answer }] }),
      )
      await expect(client.prompt('Go').call().content()).rejects.toMatchObject({
        code: 'invalid-response',
      })
      await expect(client.prompt('Go').stream().result()).resolves.toMatchObject({ status: 'done' })
      const streaming = ChatClient.create(
        modelOf({ events: [{ type: 'response', response: answer }] }),
      )
      await expect(streaming.prompt('Go').stream().result()).rejects.toMatchObject({
        code: 'invalid-response',
      })
    }
  })

  it('emits what is no event loses it, with a notice', async () => {
    const events = [undefined, 7, {}, { type: 'text-delta' }, { type: 'response', response: LAST }]
    const run = ChatClient.create(modelOf({ events })).prompt('Go').stream()
    let text = ''
    for await (const piece of run.content()) text += piece
    expect(text).toBe('Done.')
    const seen: ChatEvent[] = []
    for await (const event of run) seen.push(event)
    expect(eventsOf(seen, 'notice')).toMatchObject([{ code: 'invalid-event' }])
  })

  it('throws something that is no error rejects with just that', async () => {
    for (const thrown of ['no', 7, null, undefined, { code: 1 }]) {
      const model: ChatModel = {
        ...modelOf({}),
        call: () => Promise.reject(thrown),
        async *stream() {
          yield { type: 'text-delta', text: 'H' }
          throw thrown
        },
      }
      const client = ChatClient.create(model)
      const outcome = (work: Promise<unknown>): Promise<unknown> =>
        work.then(
          () => 'none',
          (reason) => ({ reason }),
        )
      expect(await outcome(client.prompt('Go').call().content())).toEqual({ reason: thrown })
      expect(await outcome(client.prompt('Go').stream().result())).toEqual({ reason: thrown })
    }
  })

  it('has no stream, but a promise, a list or nothing, is an error that says how to write it', async () => {
    for (const stream of [undefined, null, [], Promise.resolve([]), 'text'])
      await expect(
        ChatClient.create({ ...modelOf({}), stream: (() => stream) as never })
          .prompt('Go')
          .stream()
          .result(),
      ).rejects.toMatchObject({
        code: 'invalid-response',
        message: expect.stringContaining('async *stream'),
      })
  })

  it('answers without a promise, or has neither capabilities nor options, works all the same', async () => {
    const {
      capabilities: _capabilities,
      options: _options,
      ...bareModel
    } = modelOf({ answer: LAST })
    const model = { ...bareModel, call: () => LAST } as unknown as ChatModel
    for (const [way, ask] of Object.entries(WAYS))
      expect(await thrownBy(() => ask(model, 'call')), way).toBeUndefined()
  })

  it('is read by hand: what is no event is skipped', async () => {
    async function* events(): AsyncGenerator<ChatEvent> {
      yield* [undefined, null, 7, { type: 'response', response: LAST }] as never[]
    }
    expect(await aggregate(events())).toEqual(LAST)
    const empty = (async function* () {})()
    await expect(aggregate(empty)).rejects.toMatchObject({ code: 'incomplete-stream' })
    await expect(aggregate(scriptedModel(['Hi']).stream({ messages: [] }))).resolves.toMatchObject({
      results: [{}],
    })
  })
})
