import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ConfigurationError, ModelResponseError, ProviderError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { Message } from '../../messages/message.ts'
import { textOf, toolCallsOf } from '../../messages/reading.ts'
import type { ChatModel, ChatOptions, Prompt } from '../../model/chat-model.ts'
import type { Transport } from '../../ports/transport.ts'
import { lowerSchema } from '../../schema/lower-schema.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import { DEFAULT_METADATA } from '../../tools/tool-metadata.ts'
import { openaiCompatible, type OpenAiCompatibleOptions } from './index.ts'
import { readInPieces } from '../../../../../test/wire/reply-server.ts'

const KEY = 'test-key-0123456789'

interface Reply {
  readonly status?: number
  readonly type?: string
  readonly chunks: readonly (string | Uint8Array)[]
  /** How the connection ends: properly, broken, or not at all. */
  readonly end?: 'reset' | 'hold'
}

let reply: Reply
let requests: { url: string; headers: IncomingHttpHeaders; body: any; text: string }[] = []
let server: Server
let connections = 0
let open = 0

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    requests.push({ url: request.url!, headers: request.headers, body: JSON.parse(text), text })
    const { status = 200, type = 'text/event-stream', chunks, end } = reply
    open++
    response.once('close', () => open--)
    response.writeHead(status, { 'content-type': type })
    for (const chunk of chunks) response.write(chunk)
    if (end === undefined) response.end()
    if (end !== 'reset') return
    await nextTurn()
    response.socket!.resetAndDestroy()
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  requests = []
  connections = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function makeModel(options: Partial<OpenAiCompatibleOptions> = {}): ChatModel {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
  return openaiCompatible('some-model', { baseUrl, retry: false, ...options })
}

const question: Message = { role: 'user', content: 'Hi' }

function makeTool(name: string, more: Partial<ToolDefinition> = {}): ToolCallback {
  const inputSchema = { type: 'object', properties: { city: { type: 'string' } } } as const
  return {
    definition: { name, description: `Does ${name}`, inputSchema, ...more },
    metadata: DEFAULT_METADATA,
    call: () => Promise.resolve(''),
  }
}

// --- asking ---

const answer = (message: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1700000000,
  model: 'some-model-0613',
  choices: [
    { index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...more },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
})

async function call(
  body: Json,
  prompt: Prompt = { messages: [question] },
  model = makeModel(),
): Promise<ChatResponse> {
  reply = { type: 'application/json', chunks: [JSON.stringify(body)] }
  return model.call(prompt)
}

/** The body that a prompt is sent as. */
async function sent(
  messages: readonly Message[],
  options?: ChatOptions,
  model?: ChatModel,
): Promise<any> {
  await call(
    answer({ content: 'ok' }),
    options === undefined ? { messages } : { messages, options },
    model,
  )
  return requests.at(-1)!.body
}

async function failure(work: Promise<unknown>): Promise<any> {
  const thrown: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(thrown).toBeInstanceOf(Error)
  return thrown
}

describe('openaiCompatible', () => {
  it('asks the chat completions route, with a key if there is one', async () => {
    await sent([question])
    expect(requests[0]).toMatchObject({ url: '/v1/chat/completions' })
    expect(requests[0]!.headers.authorization).toBeUndefined()
    await sent([question], undefined, makeModel({ apiKey: KEY }))
    expect(requests[1]!.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  it('describes itself, without its key', () => {
    const model = makeModel({
      apiKey: KEY,
      options: { temperature: 0 },
      capabilities: { structuredOutput: true },
    })
    expect(model).toMatchObject({
      provider: 'openai-compatible',
      model: 'some-model',
      options: { temperature: 0 },
    })
    expect(model.capabilities).toEqual({
      tools: true,
      toolChoice: true,
      structuredOutput: true,
      parallelOff: true,
      media: true,
      files: true,
    })
    expect(makeModel({ provider: 'acme' }).provider).toBe('acme')
    expect(JSON.stringify(model)).not.toContain(KEY)
  })

  it('needs a base URL and knows its options', () => {
    expect(() => openaiCompatible('m', {} as OpenAiCompatibleOptions)).toThrow(ConfigurationError)
    expect(() => openaiCompatible('m', undefined as never)).toThrow(ConfigurationError)
    expect(() => makeModel({ apikey: 'x' } as object)).toThrow(/Did you mean "apiKey"/)
  })
})

describe('a prompt on the wire', () => {
  it('carries the options', async () => {
    const options: ChatOptions = {
      model: 'other',
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      maxTokens: 100,
      stopSequences: ['END'],
      seed: 7,
      providerOptions: {
        'openai-compatible': { reasoning_effort: 'low', seed: 8 },
        anthropic: { x: 1 },
      },
    }
    expect(await sent([question], options)).toEqual({
      model: 'other',
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      max_tokens: 100,
      stop: ['END'],
      seed: 8,
      reasoning_effort: 'low',
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect(await sent([question])).toEqual({
      model: 'some-model',
      messages: [{ role: 'user', content: 'Hi' }],
    })
  })

  it('overlays the model’s own options', async () => {
    const model = makeModel({ options: { temperature: 0, seed: 1, tools: [makeTool('a')] } })
    const body = await sent([question], { seed: 2, tools: [makeTool('b')] }, model)
    expect(body).toMatchObject({ temperature: 0, seed: 2, tools: [{ function: { name: 'b' } }] })
  })

  it('asks for a schema only where the model can keep to one', async () => {
    const outputSchema = { type: 'object' } as const
    expect(await sent([question], { outputSchema })).not.toHaveProperty('response_format')
    const able = makeModel({ capabilities: { structuredOutput: true } })
    const { response_format: format } = await sent([question], { outputSchema }, able)
    expect(format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: outputSchema },
    })
  })

  it('carries the tools and what is said about them', async () => {
    const tools = [
      makeTool('a', { providerOptions: { 'openai-compatible': { strict: true } } }),
      makeTool('b'),
    ]
    const parameters = tools[0]!.definition.inputSchema
    const { schema: strict } = lowerSchema(parameters, 'openai-strict')
    const body = await sent([question], {
      tools,
      toolChoice: { tool: 'b' },
      parallelToolCalls: false,
    })
    expect(body.tools).toEqual([
      {
        type: 'function',
        function: { name: 'a', description: 'Does a', parameters: strict, strict: true },
      },
      { type: 'function', function: { name: 'b', description: 'Does b', parameters } },
    ])
    expect(body).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'b' } },
      parallel_tool_calls: false,
    })
    expect(await sent([question], { tools, toolChoice: 'required' })).toMatchObject({
      tool_choice: 'required',
    })
    expect(await sent([question], { toolChoice: 'required', parallelToolCalls: false })).toEqual(
      await sent([question]),
    )
  })

  it('refuses mistakes about tools before anything is sent', async () => {
    const tools = [makeTool('a')]
    for (const options of [{ tools, toolChoice: { tool: 'b' } }, { toolNames: ['a'] }]) {
      expect(await failure(sent([question], options))).toMatchObject({ code: 'unknown-tool-name' })
    }
    expect(
      await failure(sent([question], { tools: [makeTool('a'), makeTool('a')] })),
    ).toMatchObject({ code: 'duplicate-tool' })
    expect(requests).toEqual([])
  })

  it('finds tools by name', async () => {
    const found = makeTool('found')
    const model = makeModel({
      resolver: { resolve: (name) => (name === 'found' ? found : undefined) },
    })
    expect(await sent([question], { toolNames: ['found'] }, model)).toMatchObject({
      tools: [{ function: { name: 'found' } }],
    })
  })

  it('carries a whole conversation', async () => {
    const messages: Message[] = [
      { role: 'system', content: 'Be kind.' },
      question,
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm. ', providerData: { field: 'reasoning_content' } },
          { type: 'reasoning', text: 'Signed elsewhere', providerData: { signature: 'x' } },
          { type: 'text', text: 'Let me ' },
          { type: 'text', text: 'look.' },
          {
            type: 'tool-call',
            id: 'c1',
            name: 'look',
            arguments: '{ "a": 1 }',
            providerData: { extra_content: { google: { thought_signature: 's' } } },
          },
          {
            type: 'tool-call',
            id: 'c2',
            name: 'look',
            arguments: '[not json',
            providerData: { other: 1 },
          },
        ],
      },
      {
        role: 'tool',
        responses: [
          { id: 'c1', name: 'look', content: 'seen' },
          {
            id: 'c2',
            name: 'look',
            content: [
              { type: 'text', text: 'two' },
              { type: 'text', text: 'texts' },
            ],
            isError: true,
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'x', providerData: { field: 'reasoning' } },
          { type: 'text', text: 'Done.' },
        ],
      },
      { role: 'user', content: 'Thanks' },
      { role: 'assistant', content: [{ type: 'provider', kind: 'refusal', data: 'No.' }] },
      // As the Responses API has it.
      {
        role: 'assistant',
        content: [{ type: 'provider', kind: 'refusal', data: { type: 'refusal', refusal: 'No.' } }],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'c3', name: 'look', arguments: '' }],
      },
    ]
    expect((await sent(messages)).messages).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: 'Let me look.',
        reasoning_content: 'Hm. ',
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'look', arguments: '{ "a": 1 }' },
            extra_content: { google: { thought_signature: 's' } },
          },
          { id: 'c2', type: 'function', function: { name: 'look', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'seen' },
      { role: 'tool', tool_call_id: 'c2', content: 'two\ntexts' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Thanks' },
      { role: 'assistant', content: '', refusal: 'No.' },
      { role: 'assistant', content: '', refusal: 'No.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c3', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
    ])
  })

  it('carries options of the provider on every level, such as marks for the cache', async () => {
    const mark = { 'openai-compatible': { cache_control: { type: 'ephemeral' } } }
    const marked = { providerOptions: mark }
    const cache_control = { type: 'ephemeral' }
    const body = await sent(
      [
        { role: 'system', content: 'Be brief.', ...marked },
        { role: 'user', content: [{ type: 'text', text: 'Hi', ...marked }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'One. ' },
            { type: 'text', text: 'Two.', ...marked },
            { type: 'tool-call', id: 'a', name: 'x', arguments: '{}', ...marked },
          ],
        },
        {
          role: 'tool',
          responses: [
            { id: 'a', name: 'x', content: '1' },
            { id: 'b', name: 'x', content: '2' },
          ],
          ...marked,
        },
      ],
      {
        tools: [makeTool('x', { providerOptions: { 'openai-compatible': { strict: true } } })],
        providerOptions: { 'openai-compatible': { prompt_cache_key: 'k' } },
      },
    )
    expect(body.prompt_cache_key).toBe('k')
    expect(body.tools[0].function.strict).toBe(true)
    expect(body.messages).toEqual([
      { role: 'system', content: 'Be brief.', cache_control },
      { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'One. ' },
          { type: 'text', text: 'Two.', cache_control },
        ],
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'x', arguments: '{}' }, cache_control },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: '2', cache_control },
    ])
  })

  it('carries media, inline and by address', async () => {
    const content = [
      {
        type: 'text',
        text: 'See',
        providerOptions: { 'openai-compatible': { cache_control: { type: 'ephemeral' } } },
      },
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      { type: 'image', mediaType: 'image/png', url: 'https://host/a.png' },
      { type: 'audio', mediaType: 'audio/mpeg', data: 'BBBB' },
      { type: 'audio', mediaType: 'audio/x-wav', data: 'CCCC' },
      { type: 'file', mediaType: 'application/pdf', data: 'DDDD', name: 'a.pdf' },
    ] as const
    expect((await sent([{ role: 'user', content }])).messages[0].content).toEqual([
      { type: 'text', text: 'See', cache_control: { type: 'ephemeral' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'image_url', image_url: { url: 'https://host/a.png' } },
      { type: 'input_audio', input_audio: { data: 'BBBB', format: 'mp3' } },
      { type: 'input_audio', input_audio: { data: 'CCCC', format: 'wav' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,DDDD' } },
    ])
    const unsendable: Message = {
      role: 'user',
      content: [{ type: 'file', mediaType: 'x/y', url: 'https://host/f' }],
    }
    expect(await failure(sent([unsendable]))).toMatchObject({ code: 'invalid-message' })
  })

  it('moves media of tool results behind all results', async () => {
    const responses = [
      {
        id: 'c1',
        name: 'look',
        content: [
          { type: 'text', text: 'Here:' },
          { type: 'image', mediaType: 'image/png', data: 'AAAA', name: 'a.png' },
        ],
      },
      { id: 'c2', name: 'count', content: '2' },
    ] as const
    expect((await sent([{ role: 'tool', responses }])).messages).toEqual([
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: 'Here:\n[image a.png: in the next user message]',
      },
      { role: 'tool', tool_call_id: 'c2', content: '2' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Result of tool look (c1):' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ])
  })

  it('names media of tool results that servers do not take, and goes on', async () => {
    const content = [
      { type: 'file', mediaType: 'application/octet-stream', data: 'AAAA' },
      { type: 'file', mediaType: 'application/pdf', url: 'https://host/a.pdf', name: 'a' },
      { type: 'audio', mediaType: 'audio/wav', url: 'https://host/a.wav' },
      { type: 'image', mediaType: 'image/bmp', data: 'AAAA' },
    ] as const
    const { messages } = await sent([
      { role: 'tool', responses: [{ id: 'c1', name: 'look', content }] },
    ])
    expect(messages).toEqual([
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          '[file (application/octet-stream) left out: it cannot be shown here]',
          '[file "a" (application/pdf) at https://host/a.pdf left out: it cannot be shown here]',
          '[audio (audio/wav) at https://host/a.wav left out: it cannot be shown here]',
          '[image (image/bmp) left out: it cannot be shown here]',
        ].join('\n'),
      },
    ])
  })

  it('is well-formed wherever halves of characters were given', async () => {
    const half = 'a\ud83d'
    const messages: Message[] = [
      { role: 'system', content: half },
      { role: 'user', content: [{ type: 'text', text: half }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'c', name: 't', arguments: '{"x":"\\ud83d"}' }],
      },
      { role: 'tool', responses: [{ id: 'c', name: 't', content: half }] },
    ]
    const body = await sent(messages, {
      tools: [makeTool('t', { description: half })],
      stopSequences: [half],
    })
    expect(requests[0]!.text).not.toMatch(/\\ud/)
    expect(
      JSON.stringify(JSON.parse(body.messages[2].tool_calls[0].function.arguments)),
    ).not.toMatch(/\\ud/)
    expect(body.messages[0].content).toBe('a\ufffd')
  })

  it('sends the same text again for the same messages and tools', async () => {
    const model = makeModel()
    const tools = [makeTool('a')]
    const messages: Message[] = [question]
    const first = await sent(messages, { tools }, model)
    expect(await sent(messages, { tools }, model)).toEqual(first)
    tools.push(makeTool('b'))
    expect((await sent(messages, { tools }, model)).tools).toHaveLength(2)
  })
})

describe('an answer in one piece', () => {
  it('becomes a response', async () => {
    expect(await call(answer({ content: 'Hello' }))).toEqual({
      id: 'chatcmpl-1',
      model: 'some-model-0613',
      results: [
        { message: { role: 'assistant', content: 'Hello' }, finishReason: 'stop', metadata: {} },
      ],
      usage: { inputTokens: 9, outputTokens: 3, totalTokens: 12 },
      metadata: { created: 1700000000 },
    })
  })

  it('keeps reasoning, refusal and calls, in this order', async () => {
    const response = await call(
      answer(
        {
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'a', arguments: '{"x": 1}' } },
            { id: '', function: { name: 'b', arguments: { y: 2 } }, extra_content: { sig: 's' } },
            { type: 'function', function: { name: 'c', arguments: '' } },
            { id: 'c4', type: 'custom', custom: { name: 'd', input: 'raw' } },
            { id: 'c5', type: 'function', function: { name: 'e', arguments: '{broken' } },
          ],
          content: 'Text',
          refusal: 'No.',
          reasoning_content: 'Hm',
          annotations: [{ type: 'url_citation' }],
        },
        { finish_reason: 'stop' },
      ),
    )
    expect(response.results).toEqual([
      {
        message: {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm', providerData: { field: 'reasoning_content' } },
            { type: 'text', text: 'Text' },
            { type: 'provider', kind: 'refusal', data: 'No.' },
            { type: 'provider', kind: 'annotations', data: [{ type: 'url_citation' }] },
            {
              type: 'provider',
              kind: 'custom',
              data: [{ id: 'c4', type: 'custom', custom: { name: 'd', input: 'raw' } }],
            },
            { type: 'tool-call', id: 'c1', name: 'a', arguments: '{"x": 1}' },
            {
              type: 'tool-call',
              id: '',
              name: 'b',
              arguments: '{"y":2}',
              providerData: { extra_content: { sig: 's' } },
            },
            { type: 'tool-call', id: '', name: 'c', arguments: '{}' },
            { type: 'tool-call', id: 'c5', name: 'e', arguments: '{broken' },
          ],
        },
        finishReason: 'content-filter',
        rawFinishReason: 'stop',
        metadata: {},
      },
    ])
  })

  it.each([
    ['stop', 'stop', undefined],
    ['length', 'length', undefined],
    ['model_length', 'length', 'model_length'],
    ['content_filter', 'content-filter', 'content_filter'],
    ['tool_calls', 'stop', 'tool_calls'],
    ['__proto__', 'other', '__proto__'],
    [null, 'stop', undefined],
  ])('says how it ended: %s', async (raw, finishReason, rawFinishReason) => {
    const { results } = await call(answer({ content: 'x' }, { finish_reason: raw }))
    expect(results[0]).toMatchObject({ finishReason })
    expect(results[0]!.rawFinishReason).toBe(rawFinishReason)
  })

  it.each(['tool_calls', 'function_call', 'stop', 'length', 'content_filter'])(
    'says how calls ended: %s',
    async (raw) => {
      const message = { content: null, function_call: { name: 'a', arguments: '{}' } }
      const [generation] = (await call(answer(message, { finish_reason: raw }))).results
      const cut = raw === 'length' || raw === 'content_filter'
      expect(generation!.finishReason).toBe(cut ? raw.replace('_', '-') : 'tool-calls')
      expect(toolCallsOf(generation!)).toEqual([
        { type: 'tool-call', id: '', name: 'a', arguments: '{}' },
      ])
    },
  )

  it('reads content and reasoning that came as lists', async () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }
    const content = [
      thinking,
      { type: 'text', text: 'A' },
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: 'B' },
    ]
    expect((await call(answer({ content: content as Json }))).results[0]!.message.content).toEqual([
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'AB' },
      { type: 'provider', kind: 'reference', data: { type: 'reference', reference_ids: [1] } },
    ])
  })

  it('counts tokens under all their names', async () => {
    const usage = (given: JsonObject): Promise<ChatResponse> =>
      call({ ...answer({ content: 'x' }), usage: given })
    const details = {
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    }
    expect((await usage({ prompt_tokens: 9, ...details })).usage).toEqual({
      inputTokens: 9,
      cacheReadTokens: 4,
      reasoningTokens: 2,
    })
    expect((await usage({ prompt_cache_hit_tokens: 5, completion_tokens: null })).usage).toEqual({
      cacheReadTokens: 5,
    })
  })

  it('keeps every choice', async () => {
    const { choices, ...rest } = answer({ content: 'one' })
    const second = { index: 1, message: { content: 'two' }, finish_reason: 'length' }
    const response = await call({ ...rest, choices: [...(choices as Json[]), second] })
    expect(response.results.map((result) => [textOf(result), result.finishReason])).toEqual([
      ['one', 'stop'],
      ['two', 'length'],
    ])
  })

  it.each<[Json]>([
    [{ choices: [] }],
    [{ choices: null }],
    [{}],
    [[]],
    ['x'],
    [null],
    [{ choices: [{}] }],
    [{ choices: [null] }],
  ])('is refused without a choice: %j', async (body) => {
    const error = await failure(call(body))
    expect(error).toBeInstanceOf(ModelResponseError)
    expect(error.code).toBe('invalid-response')
  })

  it('passes errors on', async () => {
    expect(
      await failure(call({ error: { message: 'Overloaded', type: 'server_error' } })),
    ).toMatchObject({
      code: 'provider-unavailable',
      retryable: true,
    })
    reply = {
      status: 401,
      type: 'application/json',
      chunks: [`{"error":{"message":"Bad key ${KEY}"}}`],
    }
    const error = await failure(makeModel({ apiKey: KEY }).call({ messages: [question] }))
    expect(error).toMatchObject({ code: 'provider-auth', status: 401 })
    expect(`${error.message}${error.body}`).not.toContain(KEY)
  })
})

// --- streaming ---

const DONE = 'data: [DONE]\n\n'
const event = (data: Json): string => `data: ${JSON.stringify(data)}\n\n`
const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1700000000,
  model: 'some-model-0613',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const piece = (index: Json | undefined, more: JsonObject): JsonObject => ({
  ...(index !== undefined && { index }),
  ...more,
})
const calls = (...pieces: JsonObject[]): JsonObject => chunk({ tool_calls: pieces })
const fn = (name: string | undefined, args: Json | undefined): JsonObject => ({
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
})

/** Reads a stream to its end or failure; the events before a failure are part of what is tested. */
async function read(
  replying: Reply,
  model = makeModel(),
): Promise<{ events: ChatEvent[]; thrown?: any }> {
  reply = replying
  const events: ChatEvent[] = []
  try {
    for await (const one of model.stream({ messages: [question] })) events.push(one)
    return { events }
  } catch (thrown) {
    return { events, thrown }
  }
}
const stream = (data: readonly Json[], last = DONE): ReturnType<typeof read> =>
  read({ chunks: [data.map(event).join('') + last] })

async function callsOf(data: readonly Json[]): Promise<unknown> {
  const { events, thrown } = await stream([...data, chunk({}, 'tool_calls')])
  if (thrown !== undefined) throw thrown
  const last = events.at(-1)
  if (last?.type !== 'response') throw new Error('no response')
  const complete = events.flatMap((one) => (one.type === 'tool-call' ? [one.toolCall] : []))
  expect(toolCallsOf(last.response)).toEqual(complete)
  return complete.map(({ id, name, arguments: args }) => [id, name, args])
}

const USAGE = {
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
}
const STREAM = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ reasoning_content: 'Hm' }),
  chunk({ reasoning_content: '…' }),
  chunk({ content: 'Let me ' }),
  chunk({ content: 'loök 😀.' }),
  calls(piece(0, { id: 'c1', type: 'function', ...fn('look', '') })),
  calls(piece(0, fn(undefined, '{"a":'))),
  calls(piece(0, fn(undefined, '"ä"}'))),
  calls(piece(1, { id: 'c2', type: 'function', ...fn('now', '') })),
  chunk({}, 'tool_calls'),
  USAGE,
]

describe('a streamed answer', () => {
  it('asks for a stream with usage', async () => {
    await stream([chunk({ content: 'x' }, 'stop')])
    expect(requests[0]!.body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('becomes events: deltas live, then parts and calls, then the response', async () => {
    const reasoning = {
      type: 'reasoning',
      text: 'Hm…',
      providerData: { field: 'reasoning_content' },
    }
    const look = { type: 'tool-call', id: 'c1', name: 'look', arguments: '{"a":"ä"}' }
    const now = { type: 'tool-call', id: 'c2', name: 'now', arguments: '{}' }
    const { events, thrown } = await stream(STREAM)
    expect(thrown).toBeUndefined()
    expect(events).toEqual([
      { type: 'reasoning-delta', text: 'Hm' },
      { type: 'reasoning-delta', text: '…' },
      { type: 'text-delta', text: 'Let me ' },
      { type: 'text-delta', text: 'loök 😀.' },
      { type: 'tool-call-start', id: 'c1', name: 'look' },
      { type: 'tool-call-delta', id: 'c1', delta: '{"a":' },
      { type: 'tool-call-delta', id: 'c1', delta: '"ä"}' },
      { type: 'tool-call-start', id: 'c2', name: 'now' },
      { type: 'part', part: reasoning },
      { type: 'tool-call', toolCall: look },
      { type: 'tool-call', toolCall: now },
      {
        type: 'response',
        response: {
          id: 'chatcmpl-1',
          model: 'some-model-0613',
          results: [
            {
              message: {
                role: 'assistant',
                content: [reasoning, { type: 'text', text: 'Let me loök 😀.' }, look, now],
              },
              finishReason: 'tool-calls',
              rawFinishReason: 'tool_calls',
              metadata: {},
            },
          ],
          usage: { inputTokens: 9, outputTokens: 3, totalTokens: 12 },
          metadata: { created: 1700000000 },
        },
      },
    ])
  })

  it('gives the response that the same answer in one piece gives', async () => {
    const tool_calls = [
      { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":"ä"}' } },
      { id: 'c2', type: 'function', function: { name: 'now', arguments: '' } },
    ]
    const message = { content: 'Let me loök 😀.', reasoning_content: 'Hm…', tool_calls }
    const whole = await call(answer(message, { finish_reason: 'tool_calls' }))
    expect((await stream(STREAM)).events.at(-1)).toEqual({ type: 'response', response: whole })
  })

  it('is the same wherever the bytes are cut', async () => {
    const text = STREAM.map(event).join('').replaceAll('\n', '\r\n') + DONE
    const bytes = new TextEncoder().encode(text)
    const expected = await stream(STREAM)
    const again = (transport: Transport) => read(reply, makeModel({ transport }))
    for await (const [cut, found] of readInPieces(bytes, again))
      expect(found, cut).toEqual(expected)
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await read({ chunks: single })).toEqual(expected)
  })

  it('uses the connection again', async () => {
    const model = makeModel()
    for (let i = 0; i < 3; i++)
      expect(
        (await read({ chunks: [STREAM.map(event).join(''), DONE] }, model)).thrown,
      ).toBeUndefined()
    expect(connections).toBeLessThanOrEqual(1)
  })

  it('may come as one JSON body after all', async () => {
    reply = { type: 'application/json', chunks: [JSON.stringify(answer({ content: 'Hello' }))] }
    const { events } = await read(reply)
    expect(events).toEqual([
      { type: 'text-delta', text: 'Hello' },
      { type: 'response', response: await call(answer({ content: 'Hello' })) },
    ])
    const failed = await read({
      type: 'application/json',
      chunks: ['{"error":{"type":"server_error"}}'],
    })
    expect(failed.thrown).toMatchObject({ code: 'provider-unavailable' })
  })

  it('may be delivered in lists, with other items', async () => {
    const { events } = await stream([
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
      chunk({ content: [{ type: 'text', text: 'A' }] }),
      chunk({ content: 'B', refusal: 'No' }),
      chunk({ refusal: ' way', annotations: [{ n: 1 }] }),
      chunk({ annotations: [{ n: 2 }] }, 'stop'),
    ])
    const last = events.at(-1)
    expect(last?.type === 'response' && last.response.results[0]!.message.content).toEqual([
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'AB' },
      { type: 'provider', kind: 'refusal', data: 'No way' },
      { type: 'provider', kind: 'annotations', data: [{ n: 1 }, { n: 2 }] },
    ])
  })

  it('lets only the first of several choices talk', async () => {
    const choice = (index: number, content: string, finish: string | null): JsonObject => ({
      ...chunk({}),
      choices: [{ index, delta: { content }, finish_reason: finish }],
    })
    const { events } = await stream([
      choice(0, 'a', null),
      choice(1, 'x', null),
      choice(0, 'b', 'stop'),
      choice(1, 'y', 'length'),
    ])
    expect(events.slice(0, -1)).toEqual([
      { type: 'text-delta', text: 'a' },
      { type: 'text-delta', text: 'b' },
    ])
    const last = events.at(-1)
    expect(last?.type === 'response' && last.response.results.map(textOf)).toEqual(['ab', 'xy'])
  })

  it('closes its connection when the reader leaves', async () => {
    reply = { chunks: [event(chunk({ content: 'a' }))], end: 'hold' }
    for await (const one of makeModel().stream({ messages: [question] })) {
      expect(one).toEqual({ type: 'text-delta', text: 'a' })
      break
    }
    while (open > 0) await pause(2)
  })

  it('closes its connection when the reader leaves while it waits', async () => {
    reply = { chunks: [event(chunk({ content: 'a' }))], end: 'hold' }
    const events = makeModel()
      .stream({ messages: [question] })
      [Symbol.asyncIterator]()
    await events.next()
    const waiting = events.next()
    await nextTurn()
    await events.return!()
    expect(await waiting).toEqual({ done: true, value: undefined })
    while (open > 0) await pause(2)
  })

  it('rejects with the reason of an abort', async () => {
    const controller = new AbortController()
    reply = { chunks: [event(chunk({ content: 'a' }))], end: 'hold' }
    const reading = (async () => {
      for await (const _one of makeModel().stream(
        { messages: [question] },
        { signal: controller.signal },
      )) {
        controller.abort('enough')
      }
    })()
    await expect(reading).rejects.toBe('enough')
    while (open > 0) await pause(2)
  })

  it('answers questions in order, also when they come before the answers', async () => {
    reply = {
      chunks: ['a', 'b', 'c']
        .map((content) => event(chunk({ content })))
        .concat(event(chunk({}, 'stop'))),
    }
    const events = makeModel()
      .stream({ messages: [question] })
      [Symbol.asyncIterator]()
    const results = await Promise.all([
      events.next(),
      events.next(),
      events.next(),
      events.next(),
      events.next(),
    ])
    expect(results.map(({ value }) => (value as ChatEvent | undefined)?.type)).toEqual([
      'text-delta',
      'text-delta',
      'text-delta',
      'response',
      undefined,
    ])
  })
})

describe('streamed calls', () => {
  it.each<[string, Json[], string[][]]>([
    [
      'no index, all at once',
      [calls({ id: 'a', ...fn('x', '{"n":1}') }, { id: 'b', ...fn('y', '{"n":2}') })],
      [
        ['a', 'x', '{"n":1}'],
        ['b', 'y', '{"n":2}'],
      ],
    ],
    [
      'no index, one after another',
      [
        calls({ id: 'a', ...fn('x', '') }),
        calls(fn(undefined, '{"n":1}')),
        calls({ id: 'b', ...fn('y', '{}') }),
      ],
      [
        ['a', 'x', '{"n":1}'],
        ['b', 'y', '{}'],
      ],
    ],
    [
      'neither index nor id, side by side',
      [calls(fn('x', '{'), fn('y', '{')), calls(fn(undefined, '"n":1}'), fn(undefined, '}'))],
      [
        ['', 'x', '{"n":1}'],
        ['', 'y', '{}'],
      ],
    ],
    [
      'index 0 for all, other ids',
      [
        calls(piece(0, { id: 'a', ...fn('x', '{"n":') })),
        calls(piece(0, fn(undefined, '1}'))),
        calls(piece(0, { id: 'b', ...fn('x', '{}') })),
      ],
      [
        ['a', 'x', '{"n":1}'],
        ['b', 'x', '{}'],
      ],
    ],
    [
      'index 0 for all, ids taking turns',
      [
        calls(
          piece(0, { id: 'a', ...fn('x', '{"n":') }),
          piece(0, { id: 'b', ...fn('x', '{"m":') }),
        ),
        calls(
          piece(0, { id: 'a', ...fn(undefined, '1}') }),
          piece(0, { id: 'b', ...fn(undefined, '2}') }),
        ),
      ],
      [
        ['a', 'x', '{"n":1}'],
        ['b', 'x', '{"m":2}'],
      ],
    ],
    [
      'gaps and falling indexes',
      [
        calls(piece(7, { id: 'a', ...fn('x', '{') }), piece(1e9, { id: 'b', ...fn('y', '{') })),
        calls(piece(1e9, fn(undefined, '}')), piece(7, fn(undefined, '}'))),
      ],
      [
        ['a', 'x', '{}'],
        ['b', 'y', '{}'],
      ],
    ],
    [
      'indexes that are strings',
      [
        calls(piece('0', { id: 'a', ...fn('x', '{') })),
        calls(piece('1', { id: 'b', ...fn('y', '{') })),
        calls(piece('0', fn(undefined, '}')), piece('1', fn(undefined, '}'))),
      ],
      [
        ['a', 'x', '{}'],
        ['b', 'y', '{}'],
      ],
    ],
    [
      'blank ids on later pieces',
      [
        calls(piece(0, { id: 'a', ...fn('x', '') })),
        calls(piece(0, { id: '', ...fn('', '{"n":') })),
        calls(piece(0, { id: ' ', ...fn(undefined, '1}') })),
      ],
      [['a', 'x', '{"n":1}']],
    ],
    [
      'no ids',
      [calls(piece(0, fn('x', '{}'))), calls(piece(1, fn('x', '{}')))],
      [
        ['', 'x', '{}'],
        ['', 'x', '{}'],
      ],
    ],
    [
      'no ids, index 0 for all',
      [calls(piece(0, fn('x', '{"n":1}'))), calls(piece(0, fn('x', '{"n":2}')))],
      [
        ['', 'x', '{"n":1}'],
        ['', 'x', '{"n":2}'],
      ],
    ],
    [
      'an id that comes late',
      [calls(piece(0, fn('x', '{'))), calls(piece(0, { id: 'a', ...fn(undefined, '}') }))],
      [['a', 'x', '{}']],
    ],
    [
      'the same id twice',
      [
        calls(piece(0, { id: 'a', ...fn('x', '{}') })),
        calls(piece(1, { id: 'a', ...fn('x', '{}') })),
      ],
      [
        ['a', 'x', '{}'],
        ['a', 'x', '{}'],
      ],
    ],
    [
      'an id that changes from piece to piece',
      [
        calls(piece(0, { id: 'a', ...fn('x', '') })),
        calls(piece(0, { id: 'b', ...fn(undefined, '{"n":') })),
        calls(piece(0, { id: 'c', ...fn('', '1}') })),
        calls(piece(1, { id: 'd', ...fn('y', '{') })),
        calls(piece(1, { id: 'e', ...fn('y', '"m":2}') })),
      ],
      [
        ['a', 'x', '{"n":1}'],
        ['d', 'y', '{"m":2}'],
      ],
    ],
    [
      'a start that comes twice',
      [
        calls(piece(0, { id: 'a', ...fn('x', '') })),
        calls(piece(0, { id: 'a', ...fn('x', '') })),
        calls(piece(1, fn('y', ''))),
        calls(piece(1, fn('y', ''))),
        calls(piece(0, fn(undefined, '{}')), piece(1, fn(undefined, '{}'))),
      ],
      [
        ['a', 'x', '{}'],
        ['', 'y', '{}'],
      ],
    ],
    [
      'a name in every piece',
      [
        calls(piece(0, { id: 'a', ...fn('get', '{"n":') })),
        calls(piece(0, { id: 'a', ...fn('get', '{"m":1}') })),
        calls(piece(0, fn('get', '}'))),
      ],
      [['a', 'get', '{"n":{"m":1}}']],
    ],
    [
      'a name in pieces',
      [
        calls(piece(0, { id: 'a', ...fn('get_', '') })),
        calls(piece(0, fn('weather', ''))),
        calls(piece(0, fn(undefined, '{}'))),
      ],
      [['a', 'get_weather', '{}']],
    ],
    [
      'arguments as an object',
      [calls(piece(0, { id: 'a', ...fn('x', { n: 1 }) }))],
      [['a', 'x', '{"n":1}']],
    ],
    [
      'no arguments',
      [
        calls(piece(0, { id: 'a', ...fn('x', undefined) })),
        calls(piece(1, { id: 'b', ...fn('y', null) })),
        calls(piece(2, { id: 'c', ...fn('z', ' ') })),
      ],
      [
        ['a', 'x', '{}'],
        ['b', 'y', '{}'],
        ['c', 'z', '{}'],
      ],
    ],
    [
      'broken arguments, as sent',
      [calls(piece(0, { id: 'a', ...fn('x', '{"n":') }))],
      [['a', 'x', '{"n":']],
    ],
    [
      'entries that are nothing',
      [
        calls(piece(0, { id: 'a', ...fn('x', '{}') })),
        chunk({ tool_calls: [null, {}, { index: 0 }] }),
        chunk({ tool_calls: null }),
      ],
      [['a', 'x', '{}']],
    ],
    [
      'the old form',
      [
        chunk({ function_call: { name: 'x', arguments: '' } }),
        chunk({ function_call: { arguments: '{}' } }),
      ],
      [['', 'x', '{}']],
    ],
    [
      'names of the prototype',
      [calls(piece(0, { id: '__proto__', ...fn('constructor', '{"__proto__":1}') }))],
      [['__proto__', 'constructor', '{"__proto__":1}']],
    ],
  ])('are put together: %s', async (_what, data, expected) => {
    expect(await callsOf(data)).toEqual(expected)
  })

  it('are put together from pieces in any order', async () => {
    const pieces = fc.array(fc.tuple(fc.nat(7), fc.string({ maxLength: 5 })), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(pieces, async (all) => {
        const names = [...new Set(all.map(([index]) => index))]
        const first = names.map((index) =>
          calls(piece(index, { id: `id${index}`, ...fn(`tool${index}`, '') })),
        )
        const rest = all.map(([index, text]) => calls(piece(index, fn(undefined, text))))
        const joined = (wanted: number): string =>
          all.map(([index, text]) => (index === wanted ? text : '')).join('')
        const expected = names.map((index) => [
          `id${index}`,
          `tool${index}`,
          joined(index).trim() === '' ? '{}' : joined(index),
        ])
        expect(await callsOf([...first, ...rest])).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })

  it('are refused when one changes its name inside its arguments', async () => {
    const { thrown } = await stream([
      calls(piece(0, { id: 'a', ...fn('x', '{"n":') })),
      calls(piece(0, fn('y', '1}'))),
    ])
    expect(thrown).toMatchObject({ code: 'invalid-response' })
  })

  it('keep custom calls apart', async () => {
    const custom = { index: 0, id: 'a', type: 'custom', custom: { name: 'x', input: 'raw' } }
    const { events } = await stream([chunk({ tool_calls: [custom] }), chunk({}, 'stop')])
    expect(events[0]).toEqual({
      type: 'part',
      part: { type: 'provider', kind: 'custom', data: [custom] },
    })
  })
})

describe('a stream that goes wrong', () => {
  const cut = STREAM.slice(0, 7)

  it.each<[string, () => ReturnType<typeof read>]>([
    ['ends before its end', () => stream(cut, '')],
    ['ends before its end, with complete arguments', () => stream(STREAM.slice(0, 8), '')],
    ['says it is done without a finish reason', () => stream(cut)],
    ['is empty', () => stream([], '')],
    ['has only an end', () => stream([])],
    ['has only usage', () => stream([USAGE])],
    ['breaks', () => read({ chunks: cut.map(event), end: 'reset' })],
  ])('is incomplete when it %s', async (_how, reading) => {
    const { events, thrown } = await reading()
    expect(thrown).toBeInstanceOf(ModelResponseError)
    expect(thrown).toMatchObject({ code: 'incomplete-stream', retryable: true })
    expect(events.filter(({ type }) => type === 'tool-call' || type === 'response')).toEqual([])
  })

  it('keeps the text that did arrive', async () => {
    expect((await stream(cut)).thrown.partial).toBe('Let me loök 😀.')
  })

  it('is whole once it said how it ended', async () => {
    const expected = await stream(STREAM)
    expect(await stream(STREAM, '')).toEqual(expected)
    expect(await read({ chunks: STREAM.map(event), end: 'reset' })).toEqual(expected)
    expect(await read({ chunks: [STREAM.map(event).join('') + DONE], end: 'hold' })).toEqual(
      expected,
    )
  })

  it('ignores what comes after its end', async () => {
    const late = [
      chunk({ content: 'late' }),
      calls(piece(5, { id: 'z', ...fn('late', '{}') })),
      chunk({}, 'length'),
    ]
    const expected = await stream(STREAM)
    expect(await stream(STREAM, DONE + late.map(event).join(''))).toEqual(expected)
    const afterFinish = await stream([...STREAM, ...late])
    expect(afterFinish.events.filter(({ type }) => type !== 'notice')).toEqual(expected.events)
    expect(afterFinish.events.filter(({ type }) => type === 'notice')).toMatchObject([
      { code: 'content-after-finish' },
    ])
  })

  it('shrugs at events without choices', async () => {
    const expected = await stream(STREAM)
    const odd: Json[] = [{ choices: null }, {}, { choices: [null, {}, { delta: null }] }]
    const { events } = await stream([STREAM[0]!, ...odd, ...STREAM.slice(1)])
    expect(events.slice(0, -1)).toEqual(expected.events.slice(0, -1))
  })

  it.each([
    [
      'data: {"error":{"message":"Slow down","type":"rate_limit_error"}}\n\n',
      'provider-rate-limit',
      true,
    ],
    ['data: {"error":{"message":"Boom","code":500}}\n\n', 'provider-unavailable', true],
    [
      'data: {"error":{"message":"Too long","type":"invalid_request_error"}}\n\n',
      'provider-rejected',
      false,
    ],
    ['event: error\ndata: {"message":"Boom"}\n\n', 'provider-unavailable', true],
    ['event: error\ndata: Boom\n\n', 'provider-unavailable', true],
    ['data: {"object":"error","message":"Boom","code":400}\n\n', 'provider-rejected', false],
  ])('reports an error inside: %s', async (text, code, retryable) => {
    const { events, thrown } = await stream([chunk({ content: 'a' })], text)
    expect(thrown).toBeInstanceOf(ProviderError)
    expect(thrown).toMatchObject({ code, retryable })
    expect(events).toEqual([{ type: 'text-delta', text: 'a' }])
  })

  it.each(['not json', '{"a":', '"text"', '5'])(
    'names the place of an event that is none: %s',
    async (text) => {
      const { thrown } = await stream([chunk({ content: 'a' })], `data: ${text}\n\n`)
      expect(thrown).toMatchObject({ code: 'invalid-response', partial: 'a' })
      expect(thrown.message).toContain('Event 2 of the stream')
    },
  )

  it('says that a page came', async () => {
    const { thrown } = await read({ type: 'text/html', chunks: ['<!DOCTYPE html><html></html>'] })
    expect(thrown).toMatchObject({ code: 'invalid-response' })
  })

  it('stops at a line without an end', async () => {
    const { thrown } = await read({
      chunks: ['data: ', ...Array<string>(80).fill('x'.repeat(65_536))],
      end: 'hold',
    })
    expect(thrown).toMatchObject({ code: 'provider-too-large' })
    while (open > 0) await pause(2)
  })

  it('stops at a silence', async () => {
    const { events, thrown } = await read(
      { chunks: [event(chunk({ content: 'a' }))], end: 'hold' },
      makeModel({ idleTimeoutMs: 60, firstByteTimeoutMs: 60_000 }),
    )
    expect(thrown).toMatchObject({ code: 'provider-timeout', retryable: true })
    expect(events).toHaveLength(1)
    while (open > 0) await pause(2)
  })
})
