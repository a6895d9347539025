/** The bridge with the AI SDK's own mock models, the three versions side by side, called and streamed. */
import {
  APICallError,
  LoadAPIKeyError,
  NoSuchModelError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { fromAiSdk } from '@toolwright/ai-sdk'
import { generateText, isStepCount, jsonSchema, tool as aiSdkTool } from 'ai-v7'
import {
  ChatClient,
  ConfigurationError,
  ModelResponseError,
  textOf,
  tool,
  toolCallsOf,
  type AssistantPart,
  type ChatEvent,
  type ChatModel,
  type ChatResponse,
  type Message,
  type Prompt,
} from 'toolwright'
import { describe, expect, it } from 'vitest'
import {
  mockModel,
  VERSIONS,
  type MockAnswer,
  type MockModel,
  type Version,
} from './testing/mock-models.ts'

const MODES = ['call', 'stream'] as const
type Mode = (typeof MODES)[number]

const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: ({ city }: { city: string }) => `sunny in ${city}`,
})
const HELLO: Prompt = { messages: [{ role: 'user', content: 'Hello' }] }

/** What the mock was asked, in order, by call or stream. */
function questionsTo(model: MockModel): readonly Record<string, any>[] {
  return [...model.doGenerateCalls, ...model.doStreamCalls]
}

interface Asked {
  readonly response: ChatResponse
  readonly events: readonly ChatEvent[]
}

async function ask(model: ChatModel, mode: Mode, prompt: Prompt = HELLO): Promise<Asked> {
  const events: ChatEvent[] = []
  if (mode === 'call') {
    const response = await model.call(prompt, { emit: (event) => void events.push(event) })
    return { response, events }
  }
  for await (const event of model.stream(prompt)) events.push(event)
  const last = events.at(-1)
  if (last?.type !== 'response') throw new Error('The stream ended without a response.')
  return { response: last.response, events }
}

/** Runs a check for every version, called and streamed. */
function each(name: string, check: (version: Version, mode: Mode) => Promise<void>): void {
  describe(name, () => {
    for (const version of VERSIONS)
      for (const mode of MODES) it(`${version}, ${mode}`, () => check(version, mode))
  })
}

const TEXT: MockAnswer = {
  content: [{ type: 'text', text: 'Hello there.' }],
  parts: [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Hello ' },
    { type: 'text-delta', id: '1', delta: 'there.' },
    { type: 'text-end', id: '1' },
  ],
}

const call = (id: string, city: string, more: object = {}): object => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'weather',
  input: JSON.stringify({ city }),
  ...more,
})

/** What was thought, signed; a word; two calls, one with data of its own. */
const SIGNED: MockAnswer = {
  finish: 'tool-calls',
  raw: 'tool_use',
  content: [
    { type: 'reasoning', text: 'Two cities.', providerMetadata: { mock: { signature: 'abc' } } },
    { type: 'text', text: 'Let me look.', providerMetadata: { mock: { itemId: 'msg_1' } } },
    call('a', 'Paris', { providerMetadata: { mock: { thoughtSignature: 'xyz' } } }),
    call('b', 'Rome'),
  ],
  parts: [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Two ' },
    { type: 'reasoning-delta', id: 'r', delta: 'cities.' },
    {
      type: 'reasoning-delta',
      id: 'r',
      delta: '',
      providerMetadata: { mock: { signature: 'abc' } },
    },
    { type: 'reasoning-end', id: 'r' },
    { type: 'text-start', id: 't', providerMetadata: { mock: { itemId: 'msg_1' } } },
    { type: 'text-delta', id: 't', delta: 'Let me look.' },
    { type: 'tool-input-start', id: 'a', toolName: 'weather' },
    { type: 'tool-input-delta', id: 'a', delta: '{"city":' },
    { type: 'tool-input-start', id: 'b', toolName: 'weather' },
    { type: 'tool-input-delta', id: 'b', delta: '{"city":"Rome"}' },
    { type: 'tool-input-delta', id: 'a', delta: '"Paris"}' },
    { type: 'tool-input-end', id: 'b' },
    call('b', 'Rome'),
    { type: 'tool-input-end', id: 'a' },
    call('a', 'Paris', { providerMetadata: { mock: { thoughtSignature: 'xyz' } } }),
    { type: 'text-end', id: 't' },
  ],
}

each('an answer has text, usage, model, id and what its provider said', async (version, mode) => {
  const response = { id: 'resp_1', modelId: 'mock-1-0815' }
  const answer = { ...TEXT, response, providerMetadata: { mock: { tier: 'flex' } } }
  const got = (await ask(fromAiSdk(mockModel(version, [answer])), mode)).response
  expect(got).toEqual({
    results: [
      {
        message: { role: 'assistant', content: 'Hello there.' },
        finishReason: 'stop',
        metadata: {},
      },
    ],
    usage: {
      inputTokens: 70,
      outputTokens: 30,
      totalTokens: 100,
      cacheReadTokens: 50,
      reasoningTokens: 7,
      ...(version !== 'v2' && { cacheWriteTokens: 5 }),
    },
    id: 'resp_1',
    model: 'mock-1-0815',
    metadata: { providerMetadata: { mock: { tier: 'flex' } } },
  })
})

each('a run with tools: signatures and ids go back with their parts', async (version, mode) => {
  const model = mockModel(version, [SIGNED, TEXT])
  const run = ChatClient.create(fromAiSdk(model)).prompt('Paris and Rome?').tools(weather)
  const result = await run[mode]().result()
  expect(textOf(result.response)).toBe('Hello there.')
  expect(questionsTo(model)[1]!.prompt.slice(1)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Two cities.', providerOptions: { mock: { signature: 'abc' } } },
        { type: 'text', text: 'Let me look.', providerOptions: { mock: { itemId: 'msg_1' } } },
        {
          type: 'tool-call',
          toolCallId: 'a',
          toolName: 'weather',
          input: { city: 'Paris' },
          providerOptions: { mock: { thoughtSignature: 'xyz' } },
        },
        { type: 'tool-call', toolCallId: 'b', toolName: 'weather', input: { city: 'Rome' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'weather',
          output: { type: 'text', value: 'sunny in Paris' },
          providerOptions: { mock: { thoughtSignature: 'xyz' } },
        },
        {
          type: 'tool-result',
          toolCallId: 'b',
          toolName: 'weather',
          output: { type: 'text', value: 'sunny in Rome' },
        },
      ],
    },
  ])
})

it('sends what generateText of the AI SDK sends in the same conversation', async () => {
  const theirs = mockModel('v4', [SIGNED, TEXT])
  const told = await generateText({
    model: theirs as never,
    prompt: 'Paris and Rome?',
    tools: {
      weather: aiSdkTool({
        description: 'The weather of a city',
        inputSchema: jsonSchema<{ city: string }>({
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
        }),
        execute: ({ city }) => `sunny in ${city}`,
      }),
    },
    stopWhen: isStepCount(5),
  })
  const ours = mockModel('v4', [SIGNED, TEXT])
  const client = ChatClient.create(fromAiSdk(ours))
  const text = await client.prompt('Paris and Rome?').tools(weather).call().content()
  expect(text).toBe(told.text)
  for (const round of [0, 1]) {
    const [sent, expected] = [ours, theirs].map((model) => plain(questionsTo(model)[round]!.prompt))
    expect(sent).toEqual(expected)
  }
  const named = (model: MockModel): unknown =>
    questionsTo(model)[0]!.tools.map(({ type, name, description }: Record<string, unknown>) => ({
      type,
      name,
      description,
    }))
  expect(named(ours)).toEqual(named(theirs))
})

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('a stream tells parts in the order in which they began', () => {
  for (const version of VERSIONS)
    it(version, async () => {
      const { events, response } = await ask(fromAiSdk(mockModel(version, [SIGNED])), 'stream')
      expect(events.flatMap(inShort)).toEqual([
        'reasoning Two ',
        'reasoning cities.',
        'part reasoning',
        'text Let me look.',
        'start a',
        'delta a {"city":',
        'start b',
        'delta b {"city":"Rome"}',
        'delta a "Paris"}',
        'call a',
        'call b',
      ])
      expect(toolCallsOf(response).map(({ id }) => id)).toEqual(['a', 'b'])
    })
})

function inShort(event: ChatEvent): string | readonly [] {
  switch (event.type) {
    case 'text-delta':
      return `text ${event.text}`
    case 'reasoning-delta':
      return `reasoning ${event.text}`
    case 'tool-call-start':
      return `start ${event.id}`
    case 'tool-call-delta':
      return `delta ${event.id} ${event.delta}`
    case 'tool-call':
      return `call ${event.toolCall.id}`
    case 'part':
      return `part ${event.part.type}`
    default:
      return []
  }
}

each('calls that come whole, blank or as a value are calls', async (version, mode) => {
  const odd = [
    { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: ' ' },
    { type: 'tool-call', toolCallId: 'b', toolName: 'weather', input: { city: 'Rome' } },
  ]
  const model = mockModel(version, [{ finish: 'stop', content: odd, parts: odd }])
  const { response } = await ask(fromAiSdk(model), mode)
  expect(toolCallsOf(response).map((each) => each.arguments)).toEqual(['{}', '{"city":"Rome"}'])
  expect(response.results[0]!.finishReason).toBe('tool-calls')
})

const PIXEL = 'iVBORw0KGgo='
const BYTES = Uint8Array.from(atob(PIXEL), (letter) => letter.charCodeAt(0))

each('a generated file is a media part, and goes back', async (version, mode) => {
  const data = version === 'v4' ? { type: 'data', data: BYTES } : BYTES
  const files = [
    { type: 'file', mediaType: 'image/png', data, providerMetadata: { mock: { id: 'f' } } },
    {
      type: 'file',
      mediaType: 'text/csv',
      data: version === 'v4' ? { type: 'data', data: 'YQ==' } : 'YQ==',
    },
  ]
  const model = mockModel(version, [{ content: files, parts: files }, TEXT])
  const chat = fromAiSdk(model)
  const { response } = await ask(chat, mode)
  const { message } = response.results[0]!
  expect(message.content).toMatchObject([
    { type: 'image', mediaType: 'image/png', data: PIXEL },
    { type: 'file', mediaType: 'text/csv', data: 'YQ==' },
  ])
  await ask(chat, mode, { messages: [...HELLO.messages, message, ...HELLO.messages] })
  const [image] = questionsTo(model)[1]!.prompt[1].content
  const sent = version === 'v4' ? { type: 'data', data: PIXEL } : PIXEL
  expect(image).toEqual({
    type: 'file',
    mediaType: 'image/png',
    data: sent,
    providerOptions: { mock: { id: 'f' } },
  })
})

/** A call that the provider ran, its preview and result, and where it looked. */
const SEARCH = [
  {
    type: 'tool-call',
    toolCallId: 's',
    toolName: 'web_search',
    input: '{"query":"weather"}',
    providerExecuted: true,
  },
  {
    type: 'tool-result',
    toolCallId: 's',
    toolName: 'web_search',
    result: { hits: 0 },
    preliminary: true,
  },
  {
    type: 'tool-result',
    toolCallId: 's',
    toolName: 'web_search',
    result: { hits: 2 },
    providerMetadata: { mock: { encrypted: 'e' } },
  },
  { type: 'source', sourceType: 'url', id: '1', url: 'https://example.com/' },
]

each(
  'what the provider ran is a provider part, is not run, and goes back',
  async (version, mode) => {
    const answer = {
      finish: 'tool-calls',
      content: [...SEARCH, { type: 'text', text: 'Sunny.' }],
      parts: [
        { type: 'tool-input-start', id: 's', toolName: 'web_search', providerExecuted: true },
        { type: 'tool-input-delta', id: 's', delta: '{"query":"weather"}' },
        { type: 'tool-input-end', id: 's' },
        ...SEARCH,
        { type: 'text-delta', id: 'never begun', delta: 'Sunny.' },
      ],
    }
    const model = mockModel(version, [answer, TEXT])
    const client = ChatClient.create(fromAiSdk(model))
    const options = { aiSdk: { tools: [{ id: 'mock.web_search', args: { limit: 3 } }] } }
    const { response, messages } = await client
      .prompt('Hi')
      .options({ providerOptions: options })
      [mode]()
      .result()
    expect(textOf(response)).toBe('Sunny.')
    expect(response.results[0]!.finishReason).toBe('stop')
    const kinds = (response.results[0]!.message.content as readonly AssistantPart[]).map((part) =>
      part.type === 'provider' ? part.kind : part.type,
    )
    expect(kinds).toEqual(['ai-sdk.tool-call', 'ai-sdk.tool-result', 'ai-sdk.source', 'text'])
    expect(questionsTo(model)[0]!.tools).toEqual([
      {
        type: version === 'v2' ? 'provider-defined' : 'provider',
        id: 'mock.web_search',
        name: 'web_search',
        args: { limit: 3 },
      },
    ])
    await client
      .prompt('And now?')
      .messages(...messages)
      [mode]()
      .result()
    expect(questionsTo(model)[1]!.prompt[1].content).toEqual([
      {
        type: 'tool-call',
        toolCallId: 's',
        toolName: 'web_search',
        input: { query: 'weather' },
        providerExecuted: true,
      },
      {
        type: 'tool-result',
        toolCallId: 's',
        toolName: 'web_search',
        output: { type: 'json', value: { hits: 2 } },
        providerOptions: { mock: { encrypted: 'e' } },
      },
      { type: 'text', text: 'Sunny.' },
    ])
  },
)

each(
  'settings, tool choice, schema and options of the provider are sent',
  async (version, mode) => {
    const model = mockModel(version, [TEXT])
    const chat = fromAiSdk(model, {
      options: { temperature: 0.1, seed: 7 },
      headers: { 'x-own': '1' },
    })
    const outputSchema = { type: 'object', properties: { a: { type: 'string' } } } as const
    await ask(chat, mode, {
      messages: HELLO.messages,
      options: {
        temperature: 0.2,
        topP: 0.3,
        topK: 4,
        maxTokens: 500,
        stopSequences: ['END'],
        outputSchema,
        tools: [weather],
        toolChoice: { tool: 'weather' },
        providerOptions: { mock: { effort: 'low' }, aiSdk: { presencePenalty: 0.6 } },
      },
    })
    const { prompt, abortSignal, ...sent } = questionsTo(model)[0]!
    expect(prompt).toHaveLength(1)
    expect(abortSignal).toBeInstanceOf(AbortSignal)
    expect(sent).toEqual({
      temperature: 0.2,
      topP: 0.3,
      topK: 4,
      seed: 7,
      maxOutputTokens: 500,
      stopSequences: ['END'],
      presencePenalty: 0.6,
      responseFormat: { type: 'json', schema: outputSchema, name: 'answer' },
      tools: [
        {
          type: 'function',
          name: 'weather',
          description: 'The weather of a city',
          inputSchema: weather.definition.inputSchema,
        },
      ],
      toolChoice: { type: 'tool', toolName: 'weather' },
      providerOptions: { mock: { effort: 'low' } },
      headers: { 'x-own': '1' },
    })
  },
)

const MEDIA: readonly Message[] = [
  {
    role: 'user',
    content: [
      {
        type: 'image',
        mediaType: 'image/png',
        data: PIXEL,
        providerOptions: { mock: { detail: 'low' } },
      },
      { type: 'image', mediaType: 'image/png', url: 'https://example.com/a.png' },
      { type: 'image', mediaType: 'image/png', url: `data:image/png;base64,${PIXEL}` },
      { type: 'file', mediaType: 'application/pdf', data: 'JVBERg==', name: 'a.pdf' },
    ],
  },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', id: 'a', name: 'weather', arguments: '{"ci' }],
  },
  {
    role: 'tool',
    responses: [
      {
        id: 'a',
        name: 'weather',
        content: [
          { type: 'text', text: 'A map: \ud83c' },
          { type: 'image', mediaType: 'image/png', data: PIXEL, name: 'map.png' },
          { type: 'file', mediaType: 'application/pdf', url: 'https://example.com/a.pdf' },
        ],
      },
    ],
  },
]

describe('files are sent as each version takes them', () => {
  const url = new URL('https://example.com/a.png')
  const inline = (version: Version): unknown =>
    version === 'v4' ? { type: 'data', data: PIXEL } : PIXEL
  for (const version of VERSIONS)
    it(`${version}, in messages of the user`, async () => {
      const model = mockModel(version, [TEXT])
      await ask(fromAiSdk(model), 'call', { messages: MEDIA })
      const [user, assistant, result, follow] = questionsTo(model)[0]!.prompt
      const mediaType = 'image/png'
      expect(user.content).toEqual([
        {
          type: 'file',
          mediaType,
          data: inline(version),
          providerOptions: { mock: { detail: 'low' } },
        },
        { type: 'file', mediaType, data: version === 'v4' ? { type: 'url', url } : url },
        { type: 'file', mediaType, data: inline(version) },
        {
          type: 'file',
          mediaType: 'application/pdf',
          data: version === 'v4' ? { type: 'data', data: 'JVBERg==' } : 'JVBERg==',
          filename: 'a.pdf',
        },
      ])
      // Arguments that are no JSON were refused, and cannot go back as they were.
      expect(assistant.content[0].input).toEqual({})
      expect(result.content[0].output).toEqual({
        type: 'text',
        value:
          'A map: \ufffd\n[image map.png: in the next user message]\n[file: in the next user message]',
      })
      expect(follow.content[1]).toMatchObject({ type: 'file', mediaType, data: inline(version) })
    })

  const pdf = { v2: { type: 'text', text: '[file: in the next user message]' } }
  const RESULTS: { readonly [version in Version]: readonly object[] } = {
    v2: [{ type: 'media', data: PIXEL, mediaType: 'image/png' }, pdf.v2],
    v3: [
      { type: 'image-data', data: PIXEL, mediaType: 'image/png' },
      { type: 'file-url', url: 'https://example.com/a.pdf' },
    ],
    v4: [
      {
        type: 'file',
        data: { type: 'data', data: PIXEL },
        mediaType: 'image/png',
        filename: 'map.png',
      },
      {
        type: 'file',
        data: { type: 'url', url: new URL('https://example.com/a.pdf') },
        mediaType: 'application/pdf',
      },
    ],
  }
  for (const version of VERSIONS)
    it(`${version}, in results, where the model takes them there`, async () => {
      const model = mockModel(version, [TEXT])
      const chat = fromAiSdk(model, { capabilities: { mediaInResults: true } })
      await ask(chat, 'call', { messages: MEDIA })
      const { prompt } = questionsTo(model)[0]!
      expect(prompt).toHaveLength(3)
      expect(prompt[2].content[0].output).toEqual({
        type: 'content',
        value: [{ type: 'text', text: 'A map: \ufffd' }, ...RESULTS[version]],
      })
    })
})

it('a tool can stand for a tool that the provider defines', async () => {
  const bash = tool({
    name: 'bash',
    description: 'Runs a command',
    providerOptions: { aiSdk: { id: 'mock.bash_20250124', args: { user: 'nobody' } } },
    execute: () => 'done',
  })
  const model = mockModel('v4', [
    { content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'bash', input: '{}' }] },
    TEXT,
  ])
  await ChatClient.create(fromAiSdk(model)).prompt('Go').tools(bash).call().content()
  const [first, second] = questionsTo(model)
  expect(first!.tools).toEqual([
    { type: 'provider', id: 'mock.bash_20250124', name: 'bash', args: { user: 'nobody' } },
  ])
  expect(second!.prompt[2].content[0].output).toEqual({ type: 'text', value: 'done' })
})

describe('approvals of calls that the provider runs', () => {
  const request = { type: 'tool-approval-request', approvalId: 'ok-1', toolCallId: 's' }
  const decided: Message = {
    role: 'user',
    content: '',
    providerOptions: {
      aiSdk: { approvals: [{ approvalId: 'ok-1', approved: true, reason: 'fine' }] },
    },
  }
  for (const version of ['v3', 'v4'] as const)
    it(`${version}: the request is a part, and the decision goes with a message of the user`, async () => {
      const model = mockModel(version, [
        { content: [SEARCH[0]!, request], finish: 'tool-calls' },
        TEXT,
      ])
      const chat = fromAiSdk(model)
      const { message } = (await ask(chat, 'call')).response.results[0]!
      expect(message.content).toMatchObject([
        { kind: 'ai-sdk.tool-call' },
        { kind: 'ai-sdk.tool-approval-request', data: { approvalId: 'ok-1' } },
      ])
      await ask(chat, 'call', { messages: [...HELLO.messages, message, decided] })
      expect(questionsTo(model)[1]!.prompt.at(-1)).toEqual({
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: 'ok-1', approved: true, reason: 'fine' },
        ],
      })
    })

  it('v2 has none, and says so', async () => {
    const asked = ask(fromAiSdk(mockModel('v2', [TEXT])), 'call', { messages: [decided] })
    await expect(asked).rejects.toThrow(/version without approvals/)
  })
})

it('parts that only v4 has come and go back', async () => {
  const parts = [
    { type: 'custom', kind: 'mock.canvas', providerMetadata: { mock: { id: 'c' } } },
    { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: BYTES } },
  ]
  const citations = [
    { source: { type: 'source', sourceType: 'url', id: '1', url: 'https://a.b/' } },
  ]
  for (const mode of MODES) {
    const model = mockModel('v4', [
      {
        content: [...parts, { type: 'text', text: 'Cited.', citations }],
        parts: [
          { type: 'ping' },
          { type: 'raw', rawValue: { any: 'thing' } },
          ...parts,
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'Cited.' },
          { type: 'text-end', id: 't', citations },
        ],
      },
      TEXT,
    ])
    const chat = fromAiSdk(model)
    const { message } = (await ask(chat, mode)).response.results[0]!
    expect(message.content).toMatchObject([
      { kind: 'ai-sdk.custom' },
      { kind: 'ai-sdk.reasoning-file' },
      { type: 'text', text: 'Cited.' },
      { kind: 'ai-sdk.citations', data: citations },
    ])
    await ask(chat, mode, { messages: [...HELLO.messages, message] })
    expect(questionsTo(model)[1]!.prompt[1].content).toEqual([
      { type: 'custom', kind: 'mock.canvas', providerOptions: { mock: { id: 'c' } } },
      { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: PIXEL } },
      { type: 'text', text: 'Cited.' },
    ])
  }
})

it('input that streams as text is told as a whole', async () => {
  const model = mockModel('v4', [
    {
      finish: 'tool-calls',
      parts: [
        { type: 'tool-input-start', id: 'a', toolName: 'weather', inputEncoding: 'text' },
        { type: 'tool-input-delta', id: 'a', delta: 'Paris' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: '"Paris"' },
      ],
    },
  ])
  const { events } = await ask(fromAiSdk(model), 'stream')
  expect(events.flatMap(inShort)).toEqual(['start a', 'call a'])
})

it.each(VERSIONS)(
  '%s: a start that comes twice does not hold back what follows',
  async (version) => {
    const start = { type: 'tool-input-start', id: 'a', toolName: 'weather' }
    const model = mockModel(version, [
      {
        finish: 'tool-calls',
        parts: [
          start,
          start,
          { type: 'tool-input-delta', id: 'a', delta: '{"city":"Par' },
          start,
          { type: 'tool-input-delta', id: 'a', delta: '{"city":"Paris"}' },
          call('a', 'Paris'),
          call('b', 'Rome'),
        ],
      },
    ])
    const { events, response } = await ask(fromAiSdk(model), 'stream')
    expect(toolCallsOf(response).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(events.flatMap(inShort).filter((each) => each.startsWith('call '))).toEqual([
      'call a',
      'call b',
    ])
  },
)

it.each(VERSIONS)(
  '%s: an error whose code is no number and no text is still an error',
  async (version) => {
    const error = JSON.parse('{"message":"No.","code":{"toString":1,"valueOf":1}}') as unknown
    const model = mockModel(version, [{ parts: [{ type: 'error', error }] }])
    await expect(ask(fromAiSdk(model), 'stream')).rejects.toMatchObject({
      code: 'provider-unavailable',
    })
  },
)

each('what another model thought or did stays here', async (version, mode) => {
  const model = mockModel(version, [TEXT])
  await ask(fromAiSdk(model), mode, {
    messages: [
      ...HELLO.messages,
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerData: { signature: 'of another' } },
          { type: 'provider', kind: 'web_search_call', data: { id: 'ws_1' } },
          { type: 'text', text: 'Hi.', providerOptions: { mock: { cached: true } } },
        ],
      },
    ],
  })
  expect(questionsTo(model)[0]!.prompt[1].content).toEqual([
    { type: 'text', text: 'Hi.', providerOptions: { mock: { cached: true } } },
  ])
})

each('warnings are notices', async (version, mode) => {
  const warnings = {
    v2: [{ type: 'unsupported-setting', setting: 'topK', details: 'not here' }],
    v3: [{ type: 'unsupported', feature: 'topK', details: 'not here' }],
    v4: [{ type: 'deprecated', setting: 'topK', message: 'not here' }],
  }[version]
  const { events } = await ask(fromAiSdk(mockModel(version, [{ ...TEXT, warnings }])), mode)
  expect(events.find((event) => event.type === 'notice')).toEqual({
    type: 'notice',
    code: 'model-warning',
    message: `mock.chat warns: topK (${warnings[0]!.type}): not here`,
    data: warnings[0],
  })
})

describe('endings', () => {
  const REASONS = [
    ['stop', 'end_turn', 'stop'],
    ['length', 'max_tokens', 'length'],
    ['content-filter', 'safety', 'content-filter'],
    ['other', 'pause', 'other'],
  ] as const
  for (const [unified, raw, ours] of REASONS)
    each(`${unified} is ${ours}`, async (version, mode) => {
      const model = mockModel(version, [{ ...TEXT, finish: unified, raw }])
      const [result] = (await ask(fromAiSdk(model), mode)).response.results
      expect(result!.finishReason).toBe(ours)
      if (version !== 'v2') expect(result!.rawFinishReason).toBe(raw)
    })

  const incomplete = expect.objectContaining({ code: 'incomplete-stream', partial: 'Hello there.' })
  for (const version of VERSIONS) {
    it(`${version}: a stream without a reason, or without an end, is incomplete`, async () => {
      const unsaid = {
        ...TEXT,
        finish: version === 'v2' ? 'unknown' : 'other',
        raw: undefined as never,
      }
      const model = fromAiSdk(mockModel(version, [withoutRaw(unsaid), { ...TEXT, ending: 'none' }]))
      await expect(ask(model, 'stream')).rejects.toEqual(incomplete)
      await expect(ask(model, 'stream')).rejects.toEqual(incomplete)
    })

    it(`${version}: a call that is begun and never completed does not pass for an answer`, async () => {
      const parts = [{ type: 'tool-input-start', id: 'a', toolName: 'weather' }]
      const model = fromAiSdk(
        mockModel(version, [
          { parts, finish: 'tool-calls' },
          { parts, finish: 'length' },
        ]),
      )
      await expect(ask(model, 'stream')).rejects.toThrow(/inside the call of tool "weather"/)
      const cut = (await ask(model, 'stream')).response
      expect([cut.results[0]!.finishReason, toolCallsOf(cut)]).toEqual(['length', []])
    })

    it(`${version}: calls of an answer that ended in an error are not run`, async () => {
      const parts = [call('a', 'Paris')]
      for (const mode of MODES) {
        const answer = { content: parts, parts, finish: 'error', raw: 'crashed' }
        const asked = ask(fromAiSdk(mockModel(version, [answer])), mode)
        await expect(asked).rejects.toBeInstanceOf(ModelResponseError)
      }
    })
  }

  it('v4: an interrupted answer is incomplete', async () => {
    const answer = withoutRaw({ ...TEXT, finish: 'interrupted' })
    for (const mode of MODES)
      await expect(ask(fromAiSdk(mockModel('v4', [answer])), mode)).rejects.toEqual(incomplete)
  })
})

/** The mock's default would be the unified reason. */
const withoutRaw = (answer: MockAnswer): MockAnswer => ({ ...answer, raw: null as never })

describe('errors of the AI SDK are known by their markers', () => {
  const limited = new APICallError({
    message: 'Slow down',
    url: 'https://a.b/',
    requestBodyValues: { secret: 'conversation' },
    statusCode: 429,
    responseHeaders: {
      'x-request-id': 'req_1',
      date: 'Mon, 05 Jan 2026 10:00:00 GMT',
      'retry-after': 'Mon, 05 Jan 2026 10:00:09 GMT',
    },
  })
  const THROWN: readonly (readonly [thrown: unknown, expected: object])[] = [
    [limited, { code: 'provider-rate-limit', status: 429, requestId: 'req_1', retryAfterMs: 9000 }],
    [new LoadAPIKeyError({ message: 'No key.' }), { code: 'missing-api-key' }],
    [
      new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' }),
      { code: 'provider-not-found' },
    ],
    [new UnsupportedFunctionalityError({ functionality: 'x' }), { code: 'provider-rejected' }],
    [new TypeValidationError({ value: 1, cause: 'x' }), { code: 'invalid-response' }],
    [new Error('Anything'), { code: 'provider-unavailable', retryable: false }],
    ['words', { code: 'provider-unavailable' }],
    [null, { code: 'provider-unavailable' }],
  ]
  for (const [thrown, expected] of THROWN)
    it(`${String(thrown)}`, async () => {
      for (const mode of MODES) {
        const model = fromAiSdk(mockModel('v4', [{ throws: thrown }]), { retry: false })
        const error: unknown = await ask(model, mode).catch((each: unknown) => each)
        expect(error).toMatchObject(expected)
        expect((error as Error).cause ?? {}).not.toHaveProperty('requestBodyValues')
      }
    })

  it('also as a part of a stream, or as what the provider sent', async () => {
    const reported = { message: 'Overloaded', type: 'x', code: 529 }
    for (const [error, code] of [
      [limited, 'provider-rate-limit'],
      [reported, 'provider-unavailable'],
    ] as const) {
      const parts = [...TEXT.parts!, { type: 'error', error }]
      const model = fromAiSdk(mockModel('v4', [{ parts }]))
      await expect(ask(model, 'stream')).rejects.toMatchObject({ code })
    }
  })
})

describe('what is no language model is refused with what to write', () => {
  const model = mockModel('v3', [])
  const WRONG: readonly (readonly [what: string, given: unknown, message: RegExp])[] = [
    [
      'a name',
      'openai/gpt-5',
      /got the name "openai\/gpt-5": pass the model of a provider package/,
    ],
    ['a provider', () => model, /got a function: call it with the name of a model/],
    ['a promise', Promise.resolve(model), /got a promise: await it first/],
    ['nothing', undefined, /got something else than a model/],
    ['an embedding model', { modelId: 'e', doEmbed() {} }, /no language model/],
    [
      'an old model',
      { ...methods(), specificationVersion: 'v1' },
      /specification "v1"; it takes v2, v3 and v4/,
    ],
    ['a model to come', { ...methods(), specificationVersion: 'v9' }, /specification "v9"/],
  ]
  for (const [what, given, message] of WRONG)
    it(what, () => {
      const make = (): unknown => fromAiSdk(given as never)
      expect(make).toThrow(ConfigurationError)
      expect(make).toThrow(message)
    })

  it('an option that it has not', () => {
    expect(() => fromAiSdk(model, { retries: 3 } as never)).toThrow(/has no option "retries"/)
  })

  it('another model of the provider', async () => {
    const asked = ask(fromAiSdk(model), 'call', { ...HELLO, options: { model: 'mock-2' } })
    await expect(asked).rejects.toThrow(/"mock-2", and this model of the AI SDK is always "mock-1"/)
  })
})

function methods(): object {
  return { provider: 'x', modelId: 'y', doGenerate: () => {}, doStream: () => {} }
}
