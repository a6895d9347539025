import { describe, expect, it } from 'vitest'
import type { Json } from '../../messages/json.ts'
import type { AssistantPart, Message, ToolResponse, UserPart } from '../../messages/message.ts'
import type { ChatOptions } from '../../model/chat-model.ts'
import type { Transport } from '../../ports/transport.ts'
import { DEFAULT_METADATA } from '../../tools/tool-metadata.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import { ollama, type OllamaOptions } from './index.ts'

const ANSWER = { model: 'm', message: { role: 'assistant', content: 'ok' }, done: true }

type Body = { readonly [field: string]: Json } & { readonly messages: readonly Json[] }

async function rawBody(
  messages: readonly Message[],
  options: ChatOptions = {},
  more: OllamaOptions & { readonly name?: string } = {},
): Promise<string> {
  const { name = 'qwen3:8b', ...given } = more
  let sent = ''
  const transport: Transport = (request) => {
    sent = request.body
    const chunks = (async function* () {
      yield new TextEncoder().encode(JSON.stringify(ANSWER))
    })()
    return Promise.resolve({ status: 200, header: () => 'application/json', body: chunks })
  }
  await ollama(name, { transport, ...given }).call({ messages, options })
  return sent
}

const bodyOf = async (...parameters: Parameters<typeof rawBody>): Promise<Body> =>
  JSON.parse(await rawBody(...parameters)) as Body

const user = (content: string | readonly UserPart[]): Message => ({ role: 'user', content })
const assistant = (...content: AssistantPart[]): Message => ({ role: 'assistant', content })
const text = (words: string): { readonly type: 'text'; readonly text: string } => ({
  type: 'text',
  text: words,
})
const call = (id: string, args = '{}'): AssistantPart => ({
  type: 'tool-call',
  id,
  name: 'weather',
  arguments: args,
})
const results = (...responses: ToolResponse[]): Message => ({ role: 'tool', responses })
const image = (data = 'aGk=', mediaType = 'image/png'): UserPart => ({
  type: 'image',
  mediaType,
  data,
})

function toolOf(definition: Partial<ToolDefinition> = {}): ToolCallback {
  return {
    definition: {
      name: 'weather',
      description: 'Tells the weather',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
      ...definition,
    },
    metadata: DEFAULT_METADATA,
    call: () => Promise.resolve(''),
  }
}

describe('settings', () => {
  it('sends the model and the conversation, says that nothing is streamed, and nothing else', async () => {
    expect(await bodyOf([user('Hello')])).toEqual({
      model: 'qwen3:8b',
      stream: false,
      messages: [{ role: 'user', content: 'Hello' }],
    })
  })

  it('sends what the options say, the prompt before the model', async () => {
    const options = { temperature: 0, topP: 0.9, topK: 5, stopSequences: ['END'], seed: 1 }
    const own = { options: { maxTokens: 100, temperature: 1 } }
    const body = await bodyOf([user('Hi')], { ...options, model: 'llama3.1' }, own)
    expect(body).toMatchObject({ model: 'llama3.1' })
    expect(body['options']).toEqual({
      num_predict: 100,
      temperature: 0,
      top_p: 0.9,
      top_k: 5,
      stop: ['END'],
      seed: 1,
    })
  })

  it('sends what is given for this provider as it is, its options beside ours', async () => {
    const own = { think: 'low', keep_alive: '30m', options: { num_ctx: 16_384, top_k: 7 } }
    const providerOptions = { ollama: own, anthropic: { think: 'not ours' } }
    const body = await bodyOf([user('Hi')], { topK: 5, seed: 3, providerOptions })
    expect(body).toMatchObject({ think: 'low', keep_alive: '30m' })
    expect(body['options']).toEqual({ num_ctx: 16_384, top_k: 7, seed: 3 })
  })

  const outputSchema = {
    type: 'object',
    properties: { city: { type: 'string', pattern: '^[A-Z]', description: 'Where' } },
    required: ['city'],
    additionalProperties: false,
  } as const

  it('holds the answer to a schema that makes a grammar, and says it in words too', async () => {
    const body = await bodyOf([user('Where?')], { outputSchema })
    expect(body['format']).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    })
    expect(JSON.stringify(body['format'])).not.toContain('"pattern"')
    expect(JSON.stringify(body.messages)).toContain('must be JSON that fits this schema')
  })

  it('only says it in words beside tools, and for what no grammar can say', async () => {
    const beside = await bodyOf([user('Where?')], { outputSchema, tools: [toolOf()] })
    const tree = { type: 'object', properties: { inner: { $ref: '#' } } } as const
    const unfit = await bodyOf([user('Where?')], { outputSchema: tree })
    for (const body of [beside, unfit]) {
      expect(body).not.toHaveProperty('format')
      expect(JSON.stringify(body.messages)).toContain('must be JSON that fits this schema')
    }
  })

  it('asks only the address that was given, with or without the path of the API', async () => {
    const asked: string[] = []
    const transport: Transport = (request) => {
      asked.push(`${request.url} ${request.headers['authorization'] ?? 'no key'}`)
      return Promise.reject(new Error('Not today.'))
    }
    const ask = (options: OllamaOptions): Promise<unknown> =>
      ollama('m', { transport, retry: false, ...options })
        .call({ messages: [user('Hi')] })
        .catch(() => undefined)
    await ask({})
    await ask({ baseUrl: 'http://host:1/' })
    await ask({ baseUrl: 'http://host:1/api/' })
    await ask({ baseUrl: 'https://ollama.com', apiKey: 'the-key' })
    expect(asked).toEqual([
      'http://127.0.0.1:11434/api/chat no key',
      'http://host:1/api/chat no key',
      'http://host:1/api/chat no key',
      'https://ollama.com/api/chat Bearer the-key',
    ])
  })

  it('waits for a model to load, unless told otherwise', async () => {
    const waits: unknown[] = []
    const transport: Transport = ({ firstByteTimeoutMs }) => {
      waits.push(firstByteTimeoutMs)
      return Promise.reject(new Error('Not today.'))
    }
    for (const options of [{}, { idleTimeoutMs: 1000 }])
      await ollama('m', { transport, retry: false, ...options })
        .call({ messages: [user('Hi')] })
        .catch(() => undefined)
    expect(waits).toEqual([300_000, 1000])
  })

  it.each([null, 'x', [], { baseURL: 'http://x' }, { baseUrl: 1 }, { idleTimeoutMs: 0 }])(
    'refuses options that are none: %j',
    (options) => {
      expect(() => ollama('m', options as never)).toThrowError(
        expect.objectContaining({ code: expect.stringMatching(/^(?:invalid|unknown)-/) }),
      )
    },
  )
})

describe('messages', () => {
  it('keep their roles and their order', async () => {
    const { messages } = await bodyOf([
      { role: 'system', content: 'Be kind.' },
      user([text('A'), text('B')]),
      assistant(text('C'), text('D')),
      { role: 'assistant', content: 'E', providerOptions: { ollama: { extra: 1 } } },
      user('F'),
    ])
    expect(messages).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'A\nB' },
      { role: 'assistant', content: 'CD' },
      { role: 'assistant', content: 'E', extra: 1 },
      { role: 'user', content: 'F' },
    ])
  })

  it('have images beside their text, and other media in words', async () => {
    const { messages } = await bodyOf(
      [
        user([
          text('Look:'),
          image('Zmlyc3Q='),
          { type: 'file', mediaType: 'image/jpeg', url: 'data:image/jpeg;base64,c2Vjb25k' },
          { type: 'file', mediaType: 'application/pdf', data: 'eA==', name: 'a.pdf' },
          { type: 'audio', mediaType: 'audio/wav', data: 'eA==' },
        ]),
      ],
      {},
      { name: 'qwen3-vl' },
    )
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          'Look:',
          '[file "a.pdf" (application/pdf) left out: it cannot be shown here]',
          '[audio (audio/wav) left out: it cannot be shown here]',
        ].join('\n'),
        images: ['Zmlyc3Q=', 'c2Vjb25k'],
      },
    ])
  })

  it('take no image by address', async () => {
    const part: UserPart = { type: 'image', mediaType: 'image/png', url: 'https://host/a.png' }
    await expect(rawBody([user([part])], {}, { name: 'qwen3-vl' })).rejects.toMatchObject({
      code: 'invalid-message',
    })
  })

  it('give thoughts back to those who had them, and arguments as they came', async () => {
    const own: AssistantPart = {
      type: 'reasoning',
      text: 'Hm.',
      providerData: { field: 'thinking' },
    }
    const foreign: AssistantPart = {
      type: 'reasoning',
      text: 'Secret.',
      providerData: { type: 'thinking', signature: 'x' },
    }
    const raw = await rawBody([
      user('Hi'),
      assistant(foreign, own, text('Let me.'), call('call_1', '{"n": 12345678901234567890}')),
      results({ id: 'call_1', name: 'weather', content: 'Rain' }),
    ])
    expect(raw).toContain('"arguments":{"n": 12345678901234567890}')
    const { messages } = JSON.parse(raw) as Body
    expect(messages.slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: 'Let me.',
        thinking: 'Hm.',
        tool_calls: [{ id: 'call_1', function: { name: 'weather' } }],
      },
      { role: 'tool', content: 'Rain', tool_name: 'weather', tool_call_id: 'call_1' },
    ])
  })

  it('leave out ids that there were not, and send nothing but objects as arguments', async () => {
    const { messages } = await bodyOf([
      user('Hi'),
      assistant(call('', '{"broken'), call('', '[1]')),
      results(
        { id: '', name: 'weather', content: 'one' },
        { id: '', name: 'weather', content: '', isError: true },
      ),
    ])
    const sent = { function: { name: 'weather', arguments: {} } }
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: '', tool_calls: [sent, sent] },
      { role: 'tool', content: 'one', tool_name: 'weather' },
      { role: 'tool', content: '', tool_name: 'weather' },
    ])
  })

  it('show the images of a result to models that see, and name them to others', async () => {
    const svg = image('eA==', 'image/svg+xml')
    const far: UserPart = { type: 'image', mediaType: 'image/png', url: 'https://host/a.png' }
    const response: ToolResponse = {
      id: 'a',
      name: 'draw',
      content: [text('Here:'), image(), svg, far],
    }
    const messages = [user('Draw'), assistant(call('a')), results(response)]
    const seen = (await bodyOf(messages, {}, { name: 'qwen3-vl:8b' })).messages.at(-1)
    const blind = (await bodyOf(messages)).messages.at(-1)
    const note = (type: string, place = ''): string =>
      `[image (${type})${place} left out: it cannot be shown here]`
    const others = [note('image/svg+xml'), note('image/png', ' at https://host/a.png')]
    const common = { role: 'tool', tool_name: 'draw', tool_call_id: 'a' }
    expect(seen).toEqual({
      ...common,
      content: ['Here:', ...others].join('\n'),
      images: ['aGk='],
    })
    expect(blind).toEqual({
      ...common,
      content: ['Here:', note('image/png'), ...others].join('\n'),
    })
  })

  it('have no half characters', async () => {
    const raw = await rawBody([user('x\ud83c'), assistant(call('a', '{"s":"\\ud83c"}'))])
    expect(raw).toContain('x\ufffd')
    expect(raw).not.toContain('\\ud83c')
  })
})

describe('tools', () => {
  it('are functions, with what is given for this provider', async () => {
    const annotated = toolOf({ name: 'b', description: '', providerOptions: { ollama: { x: 1 } } })
    const { tools } = await bodyOf([user('Hi')], { tools: [toolOf(), annotated] })
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    expect(tools).toEqual([
      {
        type: 'function',
        function: { name: 'weather', description: 'Tells the weather', parameters },
      },
      { type: 'function', function: { name: 'b', parameters, x: 1 } },
    ])
  })

  const names = ({ tools }: Body): unknown =>
    (tools as undefined | readonly { function: { name: string } }[])?.map(
      (tool) => tool.function.name,
    )

  it.each([
    ['auto', ['a', 'b']],
    ['required', ['a', 'b']],
    [{ tool: 'b' }, ['b']],
    ['none', undefined],
  ] as const)('are offered as the choice %j says', async (toolChoice, offered) => {
    const tools = [toolOf({ name: 'a' }), toolOf({ name: 'b' })]
    const options = { tools, toolChoice, parallelToolCalls: false }
    const body = await bodyOf([user('Hi')], options)
    expect(names(body)).toEqual(offered)
    expect(Object.keys(body)).not.toContain('tool_choice')
    expect(Object.keys(body)).not.toContain('parallel_tool_calls')
  })

  it('do not have one that is chosen and not there', async () => {
    const options: ChatOptions = { tools: [toolOf()], toolChoice: { tool: 'wether' } }
    await expect(rawBody([user('Hi')], options)).rejects.toMatchObject({
      code: 'unknown-tool-name',
    })
  })
})

describe('what a model can do', () => {
  it.each([
    ['qwen3:8b', { tools: true, reasoning: true, media: false }],
    ['someone/qwen3-coder', { tools: true, reasoning: false }],
    ['qwen2.5-coder:7b', { tools: true, reasoning: false }],
    ['qwen2.5vl', { tools: false, media: true }],
    ['llama3.1', { tools: true }],
    ['llama3.2:3b', { tools: true, media: false }],
    ['llama3.2-vision:11b', { tools: false, media: true, mediaInResults: true }],
    ['llama3:8b', { tools: false }],
    ['llama4', { tools: true, media: true }],
    ['mistral', { tools: true }],
    ['mistral-small3.2:24b', { tools: true, media: true }],
    ['gpt-oss:20b', { tools: true, reasoning: true }],
    ['gemma3:4b', { tools: false, media: true }],
    ['gemma2', { tools: false, media: false }],
    ['functiongemma', { tools: true }],
    ['deepseek-r1:7b', { tools: true, reasoning: true }],
    ['deepseek-coder-v2', { tools: false }],
    ['phi4', { tools: false }],
    ['phi4-mini', { tools: true }],
    ['llava-llama3', { tools: false, media: true }],
    ['something-new', { tools: true, structuredOutput: true, toolChoice: false }],
  ] as const)('%s', (name, expected) => {
    expect(ollama(name).capabilities).toMatchObject(expected)
  })

  it('is what the program says, where it says something', () => {
    const capabilities = { tools: true }
    expect(ollama('gemma3', { capabilities }).capabilities).toMatchObject({
      tools: true,
      media: true,
    })
  })
})
