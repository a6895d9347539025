import { describe, expect, it } from 'vitest'
import type { Json } from '../../messages/json.ts'
import type { AssistantPart, Message, UserPart } from '../../messages/message.ts'
import type { ChatOptions } from '../../model/chat-model.ts'
import type { Transport } from '../../ports/transport.ts'
import { DEFAULT_METADATA } from '../../tools/tool-metadata.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import { anthropic, type AnthropicOptions } from './index.ts'

const ANSWER = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  content: [{ type: 'text', text: 'ok' }],
  stop_reason: 'end_turn',
}

type Body = { readonly [field: string]: Json } & { readonly messages: readonly Json[] }

async function rawBody(
  messages: readonly Message[],
  options: ChatOptions = {},
  more: AnthropicOptions = {},
): Promise<string> {
  let sent = ''
  const transport: Transport = (request) => {
    sent = request.body
    const body = [new TextEncoder().encode(JSON.stringify(ANSWER))]
    const chunks = (async function* () {
      yield* body
    })()
    return Promise.resolve({ status: 200, header: () => 'application/json', body: chunks })
  }
  const model = anthropic('claude-test', { apiKey: 'test-key', transport, ...more })
  await model.call({ messages, options })
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
const cached = { cache_control: { type: 'ephemeral' } } as const
const mark = { anthropic: cached }

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
  it('sends the model, a token limit and the conversation, and nothing nobody asked for', async () => {
    expect(await bodyOf([user('Hello')])).toEqual({
      model: 'claude-test',
      max_tokens: 8192,
      messages: [{ role: 'user', content: [text('Hello')] }],
    })
  })

  it('sends what the options say, the prompt before the model', async () => {
    const options = { temperature: 0.5, topP: 0.9, topK: 5, stopSequences: ['END'], seed: 1 }
    const own = { options: { maxTokens: 100, temperature: 1 } }
    const body = await bodyOf([user('Hi')], { ...options, model: 'claude-other' }, own)
    expect(body).toMatchObject({
      model: 'claude-other',
      max_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stop_sequences: ['END'],
    })
    expect(body).not.toHaveProperty('seed')
    expect(body).not.toHaveProperty('stream')
  })

  it('adds a thinking budget to the default limit, which the API wants to be larger', async () => {
    const thinking = { type: 'enabled', budget_tokens: 10_000 }
    const providerOptions = { anthropic: { thinking }, openai: { thinking: 'not ours' } }
    const body = await bodyOf([user('Hi')], { providerOptions })
    expect(body).toMatchObject({ thinking, max_tokens: 18_192 })
    const limited = await bodyOf([user('Hi')], { providerOptions, maxTokens: 12_000 })
    expect(limited).toMatchObject({ thinking, max_tokens: 12_000 })
  })

  it('asks for JSON of a schema, beside other output settings', async () => {
    const outputSchema = { type: 'object', properties: {}, additionalProperties: false } as const
    const providerOptions = { anthropic: { output_config: { effort: 'low' } } }
    const body = await bodyOf([user('Hi')], { outputSchema, providerOptions })
    expect(body['output_config']).toEqual({
      format: { type: 'json_schema', schema: outputSchema },
      effort: 'low',
    })
  })
})

describe('system prompt', () => {
  it('stands apart, joined from wherever it was said', async () => {
    const system = (content: string): Message => ({ role: 'system', content })
    const body = await bodyOf([system('Be kind.'), system(' '), user('Hi'), system('Be brief.')])
    expect(body['system']).toBe('Be kind.\n\nBe brief.')
    expect(body.messages).toEqual([{ role: 'user', content: [text('Hi')] }])
  })

  it('is a list of blocks when one of them has options', async () => {
    const body = await bodyOf([
      { role: 'system', content: 'Long.', providerOptions: mark },
      { role: 'system', content: 'Short.', providerOptions: { openai: { x: 1 } } },
      user('Hi'),
    ])
    expect(body['system']).toEqual([{ ...text('Long.'), ...cached }, text('Short.')])
  })
})

describe('turns', () => {
  it('alternate: neighbours of one role become one message', async () => {
    const { messages } = await bodyOf([
      user('A'),
      user([text('B')]),
      assistant(text('C')),
      { role: 'assistant', content: 'D' },
      user('E'),
    ])
    expect(messages).toEqual([
      { role: 'user', content: [text('A'), text('B')] },
      { role: 'assistant', content: [text('C'), text('D')] },
      { role: 'user', content: [text('E')] },
    ])
  })

  it('leave out blank text, and messages that hold nothing else', async () => {
    const { messages } = await bodyOf([
      user('A'),
      assistant(text(''), text(' \n')),
      user([text(''), text('B')]),
    ])
    expect(messages).toEqual([{ role: 'user', content: [text('A'), text('B')] }])
  })

  it('put all results of a turn first in one user message, in order', async () => {
    const { messages } = await bodyOf([
      user('Hi'),
      assistant(call('a'), call('b'), call('c')),
      user('Hurry'),
      { role: 'tool', responses: [{ id: 'a', name: 'weather', content: 'sun' }] },
      {
        role: 'tool',
        responses: [
          { id: 'b', name: 'weather', content: 'no such city', isError: true },
          { id: 'c', name: 'weather', content: '' },
        ],
      },
    ])
    expect(messages.slice(2)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'sun' },
          { type: 'tool_result', tool_use_id: 'b', content: 'no such city', is_error: true },
          { type: 'tool_result', tool_use_id: 'c' },
          text('Hurry'),
        ],
      },
    ])
  })

  it('put a mark for the whole message on its last block that can have one', async () => {
    const thinking = { type: 'thinking', thinking: 'Hm', signature: 's' }
    const { messages } = await bodyOf([
      { role: 'user', content: [text('A'), text('B'), text(' ')], providerOptions: mark },
      {
        role: 'assistant',
        content: [call('a'), { type: 'reasoning', text: 'Hm', providerData: thinking }],
        providerOptions: mark,
      },
      {
        role: 'tool',
        responses: [{ id: 'a', name: 'weather', content: 'sun' }],
        providerOptions: mark,
      },
    ])
    expect(messages.map((message) => (message as { content: Json }).content)).toEqual([
      [text('A'), { ...text('B'), ...cached }],
      [{ type: 'tool_use', id: 'a', name: 'weather', input: {}, ...cached }, thinking],
      [{ type: 'tool_result', tool_use_id: 'a', content: 'sun', ...cached }],
    ])
  })
})

describe('assistant parts', () => {
  const blocksOf = async (...parts: AssistantPart[]): Promise<Json> => {
    const { messages } = await bodyOf([user('Hi'), assistant(...parts)])
    return (messages[1] as { content: Json } | undefined)?.content ?? []
  }

  it('keep signed reasoning as it came and drop reasoning of others', async () => {
    const redacted = { type: 'redacted_thinking', data: 'Zm9v' }
    const blocks = await blocksOf(
      { type: 'reasoning', text: 'unsigned' },
      { type: 'reasoning', text: 'x', providerData: { type: 'reasoning', encrypted_content: 'y' } },
      { type: 'reasoning', text: '', providerData: redacted },
      text('Hello'),
    )
    expect(blocks).toEqual([redacted, text('Hello')])
  })

  it('keep what this provider did itself and drop what another did', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const unknown = { type: 'brand_new_block', anything: [1, { a: null }] }
    const compaction = { type: 'compaction', content: 'Summary' }
    const provider = (data: { type: string }): AssistantPart => ({
      type: 'provider',
      kind: data.type,
      data: { ...data },
    })
    const blocks = await blocksOf(
      provider(search),
      provider({ type: 'web_search_call' }),
      provider({ type: 'refusal' }),
      provider({ type: 'executableCode' }),
      provider({ type: 'compaction' }),
      { type: 'provider', kind: 'refusal', data: 'No.' },
      provider(unknown),
      provider(compaction),
    )
    expect(blocks).toEqual([search, unknown, compaction])
  })

  it('send arguments as the text they came as, and as {} when they are no object', async () => {
    const raw = await rawBody([
      user('Hi'),
      assistant(
        call('a', '{"id": 12345678901234567890}'),
        call('b', '{"cut": "of'),
        call('c', '[1]'),
        call('d', ''),
      ),
    ])
    const inputs = [...raw.matchAll(/"input":(\{.*?\})\}/g)].map((match) => match[1])
    expect(inputs).toEqual(['{"id": 12345678901234567890}', '{}', '{}', '{}'])
  })

  it('send extra fields of a call back only when they came from here', async () => {
    const caller = { type: 'direct' }
    const blocks = await blocksOf(
      { ...call('a'), providerData: { type: 'tool_use', caller } } as AssistantPart,
      { ...call('b'), providerData: { thoughtSignature: 'of another' } } as AssistantPart,
    )
    expect(blocks).toEqual([
      { type: 'tool_use', id: 'a', name: 'weather', input: {}, caller },
      { type: 'tool_use', id: 'b', name: 'weather', input: {} },
    ])
  })

  it('spell ids of other providers in allowed characters, alike in call and result', async () => {
    const { messages } = await bodyOf([
      user('Hi'),
      assistant(call('functions.weather:0'), call('call_1|fc_2')),
      {
        role: 'tool',
        responses: [
          { id: 'functions.weather:0', name: 'weather', content: 'sun' },
          { id: 'call_1|fc_2', name: 'weather', content: 'rain' },
        ],
      },
    ])
    const [calls, results] = (messages as { content: { id?: string; tool_use_id?: string }[] }[])
      .slice(1)
      .map(({ content }) => content.map((block) => block.id ?? block.tool_use_id))
    expect(calls).toEqual(results)
    expect(new Set(calls).size).toBe(2)
    for (const id of calls!) expect(id).toMatch(/^[\w-]+$/)
  })

  it('have a line of text where the API has no place for media', async () => {
    const blocks = await blocksOf({ type: 'image', mediaType: 'image/png', data: 'AAAA' })
    expect(blocks).toEqual([text('[image (image/png) left out: it cannot be shown here]')])
  })
})

describe('media', () => {
  const blockOf = async (part: UserPart): Promise<Json> => {
    const { messages } = await bodyOf([user([part])])
    return (messages[0] as { content: Json[] }).content[0]!
  }
  const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

  it('becomes images and documents, inline or by address', async () => {
    expect(await blockOf({ type: 'image', mediaType: 'image/png', data: 'AAAA' })).toEqual(png)
    expect(await blockOf({ type: 'file', mediaType: 'image/png', data: 'AAAA' })).toEqual(png)
    const dataUrl = 'data:image/png;base64,AAAA'
    expect(await blockOf({ type: 'image', mediaType: 'image/png', url: dataUrl })).toEqual(png)
    const url = 'https://example.org/a.pdf'
    expect(
      await blockOf({ type: 'file', mediaType: 'application/pdf', url, name: 'a.pdf' }),
    ).toEqual({ type: 'document', source: { type: 'url', url }, title: 'a.pdf' })
    expect(await blockOf({ type: 'file', mediaType: 'text/csv', data: btoa('a,b') })).toEqual({
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'a,b' },
    })
  })

  it('takes a source of its own, such as an uploaded file', async () => {
    const source = { type: 'file', file_id: 'file_1' }
    const part = { type: 'file', mediaType: 'application/pdf' } as const
    expect(await blockOf({ ...part, providerOptions: { anthropic: { source } } })).toEqual({
      type: 'document',
      source,
    })
  })

  it('is refused before anything is sent when it cannot be sent', async () => {
    const audio = { type: 'audio', mediaType: 'audio/wav', data: 'AAAA' } as const
    await expect(bodyOf([user([audio])])).rejects.toMatchObject({ code: 'invalid-message' })
    const empty = { type: 'image', mediaType: 'image/png' } as const
    await expect(bodyOf([user([empty])])).rejects.toMatchObject({ code: 'invalid-message' })
  })

  it('from a tool that the API does not take is named, and the run goes on', async () => {
    const content = [
      { type: 'file', mediaType: 'application/octet-stream', data: 'AAAA' },
      { type: 'file', mediaType: 'text/csv', data: '?' },
      { type: 'audio', mediaType: 'audio/wav', url: 'https://host/a.wav' },
    ] as const
    const { messages } = await bodyOf([
      user('Hi'),
      assistant(call('a')),
      { role: 'tool', responses: [{ id: 'a', name: 'weather', content }] },
    ])
    const [result] = (messages[2] as { content: { content: Json }[] }).content
    expect(result!.content).toEqual([
      text('[file (application/octet-stream) left out: it cannot be shown here]'),
      text('[file (text/csv) left out: it cannot be shown here]'),
      text('[audio (audio/wav) at https://host/a.wav left out: it cannot be shown here]'),
    ])
  })

  it('from a tool is shown, but never as part of an error', async () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const
    const audio = { type: 'audio', mediaType: 'audio/wav', data: 'AAAA' } as const
    const content = [text('Look:'), text(''), image]
    const { messages } = await bodyOf([
      user('Hi'),
      assistant(call('a'), call('b'), call('c')),
      {
        role: 'tool',
        responses: [
          { id: 'a', name: 'weather', content },
          { id: 'b', name: 'weather', content: [image, audio], isError: true },
          { id: 'c', name: 'weather', content: [], isError: true },
        ],
      },
    ])
    const results = (messages[2] as { content: { content: Json }[] }).content
    expect(results.map((result) => result.content)).toEqual([
      [text('Look:'), png],
      [
        text('[image (image/png) left out: it cannot be shown here]'),
        text('[audio (audio/wav) left out: it cannot be shown here]'),
      ],
      'The tool failed.',
    ])
  })
})

describe('tools', () => {
  it('are offered with schema, examples and their own options', async () => {
    const inputExamples = [{ city: 'Oslo' }]
    const providerOptions = { anthropic: { strict: true }, openai: { strict: false } }
    const tool = toolOf({ inputExamples, providerOptions })
    const { inputSchema } = tool.definition
    const body = await bodyOf([user('Hi')], { tools: [tool] })
    expect(body['tools']).toEqual([
      {
        name: 'weather',
        description: 'Tells the weather',
        // A strict tool is lowered; others are sent as they are.
        input_schema: { ...inputSchema, additionalProperties: false },
        input_examples: inputExamples,
        strict: true,
      },
    ])
    const plain = await bodyOf([user('Hi')], { tools: [toolOf({})] })
    expect(plain['tools']).toMatchObject([{ input_schema: inputSchema }])
    expect(body).not.toHaveProperty('tool_choice')
  })

  it('of the provider follow those of the program', async () => {
    const search = { type: 'web_search_20250305', name: 'web_search' }
    const providerOptions = { anthropic: { tools: [search] } }
    const tools = [toolOf({ description: '' })]
    const { inputSchema } = tools[0]!.definition
    const both = await bodyOf([user('Hi')], { tools, providerOptions })
    expect(both['tools']).toEqual([{ name: 'weather', input_schema: inputSchema }, search])
    const alone = await bodyOf([user('Hi')], { providerOptions })
    expect(alone['tools']).toEqual([search])
  })

  it.each([
    [{ toolChoice: 'auto' }, { type: 'auto' }],
    [{ toolChoice: 'none' }, { type: 'none' }],
    [{ toolChoice: 'required' }, { type: 'any' }],
    [{ toolChoice: { tool: 'weather' } }, { type: 'tool', name: 'weather' }],
    [{ parallelToolCalls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    [{ parallelToolCalls: true }, undefined],
    [{ toolChoice: 'none', parallelToolCalls: false }, { type: 'none' }],
    [
      { toolChoice: 'required', parallelToolCalls: false },
      { type: 'any', disable_parallel_tool_use: true },
    ],
  ] as const)('are chosen as %j says', async (options, expected) => {
    const body = await bodyOf([user('Hi')], { ...options, tools: [toolOf()] })
    expect(body['tool_choice']).toEqual(expected)
  })

  it('are not chosen from when there are none', async () => {
    const body = await bodyOf([user('Hi')], { toolChoice: 'auto', parallelToolCalls: false })
    expect(body).not.toHaveProperty('tool_choice')
    expect(body).not.toHaveProperty('tools')
  })
})

it('sends only well-formed strings, wherever they come from', async () => {
  const half = 'a\ud83d'
  const raw = await rawBody(
    [
      { role: 'system', content: half },
      user(half),
      assistant(text(half), call('a', '{"q":"\\ud83d"}')),
      { role: 'tool', responses: [{ id: 'a', name: 'weather', content: half }] },
    ],
    { tools: [toolOf({ description: half })], stopSequences: [half] },
  )
  expect(raw).not.toMatch(/\\ud[89a-f]/i)
  expect(raw).toBe(Buffer.from(raw).toString())
  expect(raw.match(/\ufffd/g)).toHaveLength(7)
})

describe('tools held back', () => {
  it('are deferred, and Anthropic is told to search them', async () => {
    const tools = ['weather', 'email', 'alarm'].map((name) => toolOf({ name }))
    const { tools: sent } = await bodyOf([user('Hi')], {
      tools,
      deferredTools: ['weather', 'alarm'],
    })
    expect(sent).toMatchObject([
      { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
      { name: 'email' },
      { name: 'weather', defer_loading: true },
      { name: 'alarm', defer_loading: true },
    ])
    expect(sent).not.toMatchObject([{}, { defer_loading: true }, {}, {}])
    const { tools: plain } = await bodyOf([user('Hi')], { tools, deferredTools: [] })
    expect(plain).toMatchObject([{ name: 'weather' }, { name: 'email' }, { name: 'alarm' }])
  })
})
