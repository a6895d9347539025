/**
 * A provider may send any field of another kind than its documentation says. Whatever it sends is either read
 * sanely or an error of the catalogue, in both dialects, whole and streamed: never a TypeError from inside.
 */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  ToolwrightError,
  tool,
  type ChatModel,
  type Json,
  type Transport,
} from 'toolwright'
import { anthropic } from 'toolwright/anthropic'
import { google } from 'toolwright/google'
import { openaiCompatible } from 'toolwright/openai'
import { spoiled } from './wrong-kind.ts'

const sse = (records: readonly unknown[], end = ''): string =>
  records.map((record) => `data: ${JSON.stringify(record) ?? ''}\n\n`).join('') + end

/** The first answer is as given, every other one is a good one. */
function transportOf(first: string, others: string, type: string): Transport {
  let asked = 0
  return () => {
    const text = asked++ === 0 ? first : others
    const header = (name: string): string | undefined =>
      name === 'content-type' ? type : undefined
    const body = (async function* () {
      yield new TextEncoder().encode(text)
    })()
    return Promise.resolve({ status: 200, header, body })
  }
}

interface Dialect {
  readonly model: (transport: Transport) => ChatModel
  readonly whole: Json
  readonly chunks: readonly Json[]
  readonly end: string
  readonly goodWhole: Json
  readonly goodChunks: readonly Json[]
}

const usage = {
  prompt_tokens: 1,
  completion_tokens: 2,
  total_tokens: 3,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 1 },
}
const wireCall = {
  index: 0,
  id: 'c1',
  type: 'function',
  function: { name: 'look', arguments: '{"at":"a"}' },
  extra_content: { signature: 's' },
}
const said = {
  role: 'assistant',
  content: 'Hm.',
  reasoning_content: 'So',
  refusal: null,
  annotations: [{ type: 'url' }],
  tool_calls: [wireCall, { ...wireCall, index: 1, id: 'c2' }],
}
const chunk = (choice: Json): Json => ({
  id: 'x',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [choice],
})

const gemini = (parts: readonly Json[], finishReason?: string): Json => ({
  candidates: [
    {
      content: { role: 'model', parts },
      index: 0,
      ...(finishReason !== undefined && {
        finishReason,
        finishMessage: 'm',
        groundingMetadata: { webSearchQueries: ['q'] },
      }),
    },
  ],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 1 },
  modelVersion: 'gemini-x',
  responseId: 'r1',
})

const DIALECTS: Record<string, Dialect> = {
  'openai-compatible': {
    model: (transport) =>
      openaiCompatible('m', { baseUrl: 'http://x.test/v1', transport, retry: false }),
    whole: {
      id: 'x',
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message: said, finish_reason: 'tool_calls', logprobs: null }],
      usage,
    },
    chunks: [
      chunk({ index: 0, delta: { role: 'assistant', content: 'H' }, finish_reason: null }),
      chunk({
        index: 0,
        delta: said,
        finish_reason: null,
        logprobs: { content: [{ token: 'a' }] },
      }),
      chunk({ index: 0, delta: {}, finish_reason: 'tool_calls' }),
      { id: 'x', model: 'm', choices: [], usage, x_groq: { usage } },
    ],
    end: 'data: [DONE]\n\n',
    goodWhole: { choices: [{ message: { content: 'Done.' }, finish_reason: 'stop' }] },
    goodChunks: [chunk({ index: 0, delta: { content: 'Done.' }, finish_reason: 'stop' })],
  },
  anthropic: {
    model: (transport) => anthropic('claude-x', { apiKey: 'k', transport, retry: false }),
    whole: {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [
        { type: 'thinking', thinking: 'So', signature: 's' },
        { type: 'text', text: 'Hm.', citations: [{ url: 'u' }] },
        {
          type: 'tool_use',
          id: 't1',
          name: 'look',
          input: { at: 'a' },
          caller: { type: 'direct' },
        },
        { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } },
      ],
      stop_reason: 'tool_use',
      stop_details: { type: 'refusal', explanation: 'x' },
      usage: { input_tokens: 1, output_tokens: 2, output_tokens_details: { thinking_tokens: 1 } },
    },
    chunks: [
      {
        type: 'message_start',
        message: {
          id: 'm1',
          type: 'message',
          role: 'assistant',
          content: [],
          model: 'c',
          usage: {},
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hm.' } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'citations_delta', citation: { url: 'u' } },
      },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 't1', name: 'look', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{"at":"a"}' },
      },
      { type: 'content_block_stop', index: 1 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 2 },
      },
      { type: 'message_stop' },
    ],
    end: '',
    goodWhole: { content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' },
    goodChunks: [
      { type: 'message_start', message: { id: 'm2', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Done.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
      { type: 'message_stop' },
    ],
  },
  google: {
    model: (transport) => google('gemini-x', { apiKey: 'k', transport, retry: false }),
    whole: gemini(
      [
        { text: 'So', thought: true },
        { text: 'Hm.', thoughtSignature: 's' },
        { functionCall: { id: 'f1', name: 'look', args: { at: 'a' } }, thoughtSignature: 't' },
        { executableCode: { language: 'PYTHON', code: '1' } },
        { toolCall: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', args: { q: 'x' } } },
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      ],
      'STOP',
    ),
    chunks: [
      gemini([{ text: 'So', thought: true }, { text: 'H' }]),
      gemini([{ functionCall: { name: 'look', willContinue: true }, thoughtSignature: 't' }]),
      gemini([
        {
          functionCall: {
            partialArgs: [{ jsonPath: '$.at', stringValue: 'a', willContinue: true }],
            willContinue: true,
          },
        },
      ]),
      gemini([{ functionCall: {} }], 'STOP'),
      { usageMetadata: { totalTokenCount: 3 }, promptFeedback: { safetyRatings: [] } },
    ],
    end: '',
    goodWhole: gemini([{ text: 'Done.' }], 'STOP'),
    goodChunks: [gemini([{ text: 'Done.' }], 'STOP')],
  },
}

const look = tool({
  name: 'look',
  input: { type: 'object', properties: { at: { type: 'string' } } },
  execute: () => 'seen',
})

/** What happened: nothing, or what was thrown. A whole conversation, so that the answer is also sent back. */
async function ask(model: ChatModel, mode: 'call' | 'stream'): Promise<unknown> {
  const request = ChatClient.create(model).prompt('Go').tools(look)
  try {
    if (mode === 'call') await request.call().content()
    else for await (const _event of request.stream());
    return undefined
  } catch (thrown) {
    return thrown
  }
}

const raw = (thrown: unknown): unknown =>
  thrown === undefined || ToolwrightError.is(thrown) ? undefined : thrown

for (const [name, dialect] of Object.entries(DIALECTS))
  describe(name, () => {
    it('reads a good answer, so that the rest of this page means something', async () => {
      for (const mode of ['call', 'stream'] as const) {
        const [first, others] =
          mode === 'call'
            ? [JSON.stringify(dialect.whole), JSON.stringify(dialect.goodWhole)]
            : [sse(dialect.chunks, dialect.end), sse(dialect.goodChunks, dialect.end)]
        const type = mode === 'call' ? 'application/json' : 'text/event-stream'
        expect(await ask(dialect.model(transportOf(first, others, type)), mode)).toBeUndefined()
      }
    })

    it('any field of any kind in a whole answer is read sanely, or an error of the catalogue', async () => {
      const others = JSON.stringify(dialect.goodWhole)
      for (const { what, value } of spoiled(dialect.whole)) {
        const transport = transportOf(JSON.stringify(value) ?? '', others, 'application/json')
        expect(raw(await ask(dialect.model(transport), 'call')), what).toBeUndefined()
      }
    })

    it('any field of any kind in any event of a stream is too', async () => {
      const others = sse(dialect.goodChunks, dialect.end)
      for (const [index, record] of dialect.chunks.entries())
        for (const { what, value } of spoiled(record)) {
          const text = sse(dialect.chunks.with(index, value as Json), dialect.end)
          const transport = transportOf(text, others, 'text/event-stream')
          const thrown = await ask(dialect.model(transport), 'stream')
          expect(raw(thrown), `event ${index}: ${what}`).toBeUndefined()
        }
    })
  })

it('one call that is no list is one call; any other tool_calls is an error, not a call that is lost', async () => {
  const { model, goodWhole, goodChunks, end } = DIALECTS['openai-compatible']!
  const ran: unknown[] = []
  const note = tool({
    name: 'look',
    input: { type: 'object', properties: { at: { type: 'string' } } },
    execute: (input) => void ran.push(input),
  })
  const outcome = async (tool_calls: unknown, mode: 'call' | 'stream'): Promise<unknown> => {
    const message = { role: 'assistant', content: null, tool_calls }
    const whole = JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] })
    const streamed = sse(
      [chunk({ index: 0, delta: message as never, finish_reason: 'tool_calls' })],
      end,
    )
    const transport =
      mode === 'call'
        ? transportOf(whole, JSON.stringify(goodWhole), 'application/json')
        : transportOf(streamed, sse(goodChunks, end), 'text/event-stream')
    const request = ChatClient.create(model(transport)).prompt('Go').tools(note)
    return (mode === 'call' ? request.call() : request.stream())
      .result()
      .then(({ response }) => response.results[0]!.message.content)
      .catch((thrown: { code: string }) => thrown.code)
  }
  for (const mode of ['call', 'stream'] as const) {
    expect(await outcome(wireCall, mode)).toBe('Done.')
    expect(ran.splice(0)).toEqual([{ at: 'a' }])
    for (const odd of ['look', 7, true]) expect(await outcome(odd, mode)).toBe('invalid-response')
    for (const none of [null, '', 0, false, []]) expect(await outcome(none, mode)).toBe('')
    expect(ran).toEqual([])
  }
})
