/**
 * Answers written from OpenAI's public documentation of Chat Completions, served over HTTP to our adapter and to
 * the official client. Both must have the same message in the end.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import type { ChatCompletion } from 'openai/resources/chat/completions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart } from '../../messages/message.ts'
import { textOf } from '../../messages/reading.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import { openaiCompatible } from './index.ts'

let server: Server
let answer: { readonly type: string; readonly body: string }
let model: ChatModel
let official: OpenAI

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': answer.type }).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  model = openaiCompatible('gpt-5', { baseUrl, retry: false })
  official = new OpenAI({ baseURL: baseUrl, apiKey: 'test-key', maxRetries: 0 })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** What one choice says, whoever assembled it. */
interface Said {
  readonly text: string
  readonly refusal: unknown
  readonly annotations: unknown
  readonly calls: readonly object[]
  readonly ending: unknown
}

function ours({ results, usage, id }: ChatResponse): object {
  const choices = results.map((generation): Said => {
    const { content } = generation.message
    const parts: readonly AssistantPart[] = typeof content === 'string' ? [] : content
    const provided = (kind: string): Json | undefined =>
      parts.flatMap((part) =>
        part.type === 'provider' && part.kind === kind ? [part.data] : [],
      )[0]
    return {
      text: textOf(generation),
      refusal: provided('refusal'),
      annotations: provided('annotations'),
      calls: parts.flatMap((part) =>
        part.type === 'tool-call'
          ? [{ id: part.id, name: part.name, arguments: part.arguments }]
          : [],
      ),
      ending:
        generation.rawFinishReason ??
        (generation.finishReason === 'tool-calls' ? 'tool_calls' : generation.finishReason),
    }
  })
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens } = usage
  return { id, choices, tokens: [inputTokens, outputTokens, reasoningTokens, cacheReadTokens] }
}

function theirs({ id, choices, usage }: ChatCompletion): object {
  return {
    id,
    choices: choices.map(({ message, finish_reason: ending }): Said => ({
      text: message.content ?? '',
      refusal: message.refusal ?? undefined,
      annotations: message.annotations?.length ? message.annotations : undefined,
      calls: (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        name: call.type === 'function' && call.function.name,
        arguments: call.type === 'function' && (call.function.arguments || '{}'),
      })),
      ending,
    })),
    tokens: [
      usage?.prompt_tokens,
      usage?.completion_tokens,
      usage?.completion_tokens_details?.reasoning_tokens,
      usage?.prompt_tokens_details?.cached_tokens,
    ],
  }
}

const envelope = { id: 'chatcmpl-B9MBs8', created: 1741569952, model: 'gpt-5-2025-08-07' }
const usage: JsonObject = {
  prompt_tokens: 82,
  completion_tokens: 17,
  total_tokens: 99,
  prompt_tokens_details: { cached_tokens: 64 },
  completion_tokens_details: { reasoning_tokens: 5 },
}

/** The deltas of each choice, the last with its ending; whole they are one message each. */
interface Fixture {
  readonly deltas: readonly (readonly JsonObject[])[]
  readonly messages: readonly JsonObject[]
  readonly ending: string
}
const call = (index: number, id: string, name: string): JsonObject => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
})
const more = (index: number, text: string): JsonObject => ({
  tool_calls: [{ index, function: { arguments: text } }],
})
const whole = (id: string, name: string, text: string): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

const FIXTURES: { readonly [what: string]: Fixture } = {
  'a text': {
    deltas: [[{ role: 'assistant', content: '' }, { content: 'Hello' }, { content: ' 🎉!' }]],
    messages: [{ role: 'assistant', content: 'Hello 🎉!', refusal: null }],
    ending: 'stop',
  },
  'a text cut at the limit': {
    deltas: [[{ role: 'assistant', content: 'Once upon' }]],
    messages: [{ role: 'assistant', content: 'Once upon' }],
    ending: 'length',
  },
  'one call': {
    deltas: [
      [
        { role: 'assistant', content: null },
        call(0, 'call_DdmO9pD3', 'get_weather'),
        more(0, '{"loca'),
        more(0, 'tion":"Paris, größer"}'),
      ],
    ],
    messages: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [whole('call_DdmO9pD3', 'get_weather', '{"location":"Paris, größer"}')],
      },
    ],
    ending: 'tool_calls',
  },
  'a text and parallel calls whose pieces mix': {
    deltas: [
      [
        { role: 'assistant', content: 'Let me look.' },
        call(0, 'call_1', 'get_weather'),
        call(1, 'call_2', 'get_time'),
        more(0, '{"city":'),
        more(1, '{"zone":"CE'),
        more(0, '"Paris"}'),
        more(1, 'T"}'),
      ],
    ],
    messages: [
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [
          whole('call_1', 'get_weather', '{"city":"Paris"}'),
          whole('call_2', 'get_time', '{"zone":"CET"}'),
        ],
      },
    ],
    ending: 'tool_calls',
  },
  'a call without arguments': {
    deltas: [[{ role: 'assistant', content: null }, call(0, 'call_1', 'now')]],
    messages: [{ role: 'assistant', content: null, tool_calls: [whole('call_1', 'now', '')] }],
    ending: 'tool_calls',
  },
  'a refusal': {
    deltas: [[{ role: 'assistant', refusal: "I'm sorry, " }, { refusal: 'I cannot help.' }]],
    messages: [{ role: 'assistant', content: null, refusal: "I'm sorry, I cannot help." }],
    ending: 'stop',
  },
  'two candidates': {
    deltas: [
      [{ role: 'assistant', content: 'Heads' }, { content: '.' }],
      [{ role: 'assistant', content: 'Tails' }, { content: '!' }],
    ],
    messages: [
      { role: 'assistant', content: 'Heads.' },
      { role: 'assistant', content: 'Tails!' },
    ],
    ending: 'stop',
  },
}

const chunk = (fields: JsonObject): string =>
  `data: ${JSON.stringify({ ...envelope, object: 'chat.completion.chunk', ...fields })}\n\n`

function streamOf({ deltas, ending }: Fixture): string {
  const said = deltas.flatMap((each, index) =>
    each.map((delta) => chunk({ choices: [{ index, delta, finish_reason: null }] })),
  )
  const ends = deltas.map((_, index) =>
    chunk({ choices: [{ index, delta: {}, finish_reason: ending }] }),
  )
  return [...said, ...ends, chunk({ choices: [], usage }), 'data: [DONE]\n\n'].join('')
}

function wholeOf({ messages, ending }: Fixture): string {
  const choices = messages.map((message, index) => ({ index, message, finish_reason: ending }))
  return JSON.stringify({ ...envelope, object: 'chat.completion', choices, usage })
}

const messages = [{ role: 'user', content: 'Hi' } as const]
const question = { model: 'gpt-5', messages }

/** For us a refusal ends like one, whatever reason was sent beside it. */
const withoutRefusalsEnding = (said: object): unknown =>
  JSON.parse(JSON.stringify(said), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'refusal' in value
      ? { ...value, ending: 'refused' }
      : value,
  )

describe.each(Object.entries(FIXTURES))('%s', (_what, fixture) => {
  it('is the same message for us and the official client, whole', async () => {
    answer = { type: 'application/json', body: wholeOf(fixture) }
    const mine = ours(await model.call({ messages }))
    const official_ = theirs(await official.chat.completions.create(question))
    expect(withoutRefusalsEnding(mine)).toEqual(withoutRefusalsEnding(official_))
  })

  it('is the same message for us and the official client, streamed', async () => {
    answer = { type: 'text/event-stream', body: streamOf(fixture) }
    let response: ChatResponse | undefined
    for await (const event of model.stream({ messages }))
      if (event.type === 'response') ({ response } = event)
    const official_ = await official.chat.completions.stream(question).finalChatCompletion()
    expect(withoutRefusalsEnding(ours(response!))).toEqual(withoutRefusalsEnding(theirs(official_)))
  })

  it('is the same whole and streamed', async () => {
    answer = { type: 'application/json', body: wholeOf(fixture) }
    const called = await model.call({ messages })
    answer = { type: 'text/event-stream', body: streamOf(fixture) }
    let response: ChatResponse | undefined
    for await (const event of model.stream({ messages }))
      if (event.type === 'response') ({ response } = event)
    expect(response!.results).toEqual(called.results)
    expect(response!.usage).toEqual(called.usage)
  })
})
