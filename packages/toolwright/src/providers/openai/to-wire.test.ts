/** What leaves for OpenAI: every kind of message, part, option and tool. */
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../errors/errors.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart, Message, UserPart } from '../../messages/message.ts'
import type { ChatOptions } from '../../model/chat-model.ts'
import type { Transport } from '../../ports/transport.ts'
import { DEFAULT_METADATA } from '../../tools/tool-metadata.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import { openai, type OpenAiOptions } from './index.ts'

type Body = { readonly [field: string]: Json } & { readonly input: readonly Json[] }

async function rawBody(
  messages: readonly Message[],
  options: ChatOptions = {},
  more: OpenAiOptions = {},
): Promise<string> {
  let sent = ''
  const transport: Transport = (request) => {
    sent = request.body
    const body = [new TextEncoder().encode('{"output":[]}')]
    const chunks = (async function* () {
      yield* body
    })()
    return Promise.resolve({ status: 200, header: () => 'application/json', body: chunks })
  }
  await openai('gpt-5.4', { apiKey: 'test-key', transport, ...more }).call({ messages, options })
  return sent
}

const bodyOf = async (...parameters: Parameters<typeof rawBody>): Promise<Body> =>
  JSON.parse(await rawBody(...parameters)) as Body
const inputOf = async (...messages: readonly Message[]): Promise<readonly Json[]> =>
  (await bodyOf(messages)).input

const user = (content: string | readonly UserPart[]): Message => ({ role: 'user', content })
const assistant = (...content: AssistantPart[]): Message => ({ role: 'assistant', content })
const text = (words: string, own?: JsonObject): AssistantPart & UserPart => ({
  type: 'text',
  text: words,
  ...(own && { providerOptions: { openai: own } }),
})
const call = (id: string, own: object = {}): AssistantPart => ({
  type: 'tool-call',
  id,
  name: 'weather',
  arguments: '{"city":"Oslo"}',
  ...own,
})
const provider = (data: JsonObject): AssistantPart => ({
  type: 'provider',
  kind: data['type'] as string,
  data,
})
const result = (id: string, content: string | readonly UserPart[]): Message => ({
  role: 'tool',
  responses: [{ id, name: 'weather', content }],
})
const own = (openaiOptions: JsonObject): ChatOptions => ({
  providerOptions: { openai: openaiOptions },
})

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } } as const
function toolOf(definition: Partial<ToolDefinition> = {}): ToolCallback {
  return {
    definition: {
      name: 'weather',
      description: 'Tells the weather',
      inputSchema: SCHEMA,
      ...definition,
    },
    metadata: DEFAULT_METADATA,
    call: () => Promise.resolve(''),
  }
}

describe('settings', () => {
  it('send the conversation, keep nothing at the provider, and want thoughts encrypted', async () => {
    expect(await bodyOf([user('Hello')])).toEqual({
      model: 'gpt-5.4',
      store: false,
      include: ['reasoning.encrypted_content'],
      input: [{ role: 'user', content: 'Hello' }],
    })
  })

  it('have their names in this API', async () => {
    const options: ChatOptions = {
      model: 'gpt-4o',
      maxTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 4,
      stopSequences: ['x'],
      seed: 7,
      toolChoice: 'required',
      parallelToolCalls: false,
    }
    expect(await bodyOf([user('Hello')], options)).toEqual({
      model: 'gpt-4o',
      max_output_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      store: false,
      input: [{ role: 'user', content: 'Hello' }],
    })
  })

  it('ask only models for their thoughts that have some', async () => {
    const included = async (model: string, capabilities = {}): Promise<unknown> =>
      (await bodyOf([user('Hello')], { model }, { capabilities }))['include']
    for (const model of ['gpt-5.4', 'gpt-5.1-codex', 'o4-mini', 'gpt-6-something'])
      expect(await included(model), model).toEqual(['reasoning.encrypted_content'])
    for (const model of ['gpt-4o-mini', 'gpt-4.1', 'gpt-5-chat-latest', 'gpt-3.5-turbo', 'gpt-4'])
      expect(await included(model), model).toBeUndefined()
    expect(await included('gpt-4o', { reasoning: true })).toEqual(['reasoning.encrypted_content'])
  })

  it('of the provider go through untouched and win', async () => {
    const given = {
      reasoning: { effort: 'high', summary: 'auto' },
      prompt_cache_key: 'user-1',
      prompt_cache_retention: '24h',
      service_tier: 'flex',
      store: true,
      previous_response_id: 'resp_0',
      max_output_tokens: 7,
    }
    const body = await bodyOf([user('Hello')], { maxTokens: 100, ...own(given) })
    expect(body).toMatchObject(given)
    // What the provider stores need not come encrypted.
    expect(body['include']).toBeUndefined()
  })

  it('add what the caller wants to see to what has to come', async () => {
    const include = ['web_search_call.action.sources', 'reasoning.encrypted_content']
    expect(await bodyOf([user('Hello')], own({ include: include.slice(0, 1) }))).toMatchObject({
      include,
    })
    expect(await bodyOf([user('Hello')], own({ include }))).toMatchObject({ include })
  })

  it('say the schema of an answer strictly where it can be, beside other settings of the text', async () => {
    const outputSchema = { ...SCHEMA, properties: { city: { type: 'string', minLength: 1 } } }
    const { text: sent } = await bodyOf([user('Hello')], {
      outputSchema,
      ...own({ text: { verbosity: 'low' } }),
    })
    expect(sent).toMatchObject({
      verbosity: 'low',
      format: {
        type: 'json_schema',
        name: 'answer',
        strict: true,
        schema: { required: ['city'], additionalProperties: false },
      },
    })
    const open = { type: 'object', properties: { anything: {} } } as const
    expect((await bodyOf([user('Hello')], { outputSchema: open }))['text']).toEqual({
      format: { type: 'json_schema', name: 'answer', strict: false, schema: open },
    })
  })

  it('may bring their own input', async () => {
    const input = [{ type: 'item_reference', id: 'msg_1' }]
    expect(await bodyOf([user('Hello')], own({ input }))).toMatchObject({ input })
  })
})

describe('tools', () => {
  it('are functions, strict or not', async () => {
    const plain = toolOf({ name: 'plain', description: '' })
    const body = await bodyOf([user('Hello')], { tools: [toolOf(), plain] })
    expect(body['tools']).toEqual([
      {
        type: 'function',
        name: 'weather',
        description: 'Tells the weather',
        parameters: expect.objectContaining({ type: 'object' }),
        strict: expect.any(Boolean),
      },
      {
        type: 'function',
        name: 'plain',
        parameters: expect.objectContaining({ type: 'object' }),
        strict: expect.any(Boolean),
      },
    ])
  })

  it('take options of the provider, and tools of the provider beside them', async () => {
    const tool = toolOf({ providerOptions: { openai: { allowed_callers: ['programmatic'] } } })
    const search = { type: 'web_search', search_context_size: 'low' }
    const body = await bodyOf([user('Hello')], {
      tools: [tool],
      toolChoice: 'none',
      ...own({ tools: [search] }),
    })
    expect(body['tools']).toEqual([
      expect.objectContaining({ name: 'weather', allowed_callers: ['programmatic'] }),
      search,
    ])
    expect(body['tool_choice']).toBe('none')
    const alone = await bodyOf([user('Hello')], own({ tools: [search], tool_choice: 'required' }))
    expect(alone).toMatchObject({ tools: [search], tool_choice: 'required' })
    expect(await bodyOf([user('Hello')], own({ tools: [] }))).not.toHaveProperty('tools')
  })

  it.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ tool: 'weather' }, { type: 'function', name: 'weather' }],
  ] as const)('are chosen: %j', async (toolChoice, expected) => {
    const options = { tools: [toolOf()], toolChoice, parallelToolCalls: false }
    expect(await bodyOf([user('Hello')], options)).toMatchObject({
      tool_choice: expected,
      parallel_tool_calls: false,
    })
  })

  it('that are not offered cannot be chosen', async () => {
    const asked = bodyOf([user('Hello')], { tools: [toolOf()], toolChoice: { tool: 'other' } })
    await expect(asked).rejects.toMatchObject({ code: 'unknown-tool-name' })
  })

  it('that are deferred are searched by the provider', async () => {
    const body = await bodyOf(
      [user('Hello')],
      { tools: [toolOf(), toolOf({ name: 'rare' })], deferredTools: ['rare'] },
      { capabilities: { nativeToolSearch: true } },
    )
    expect(body['tools']).toEqual([
      expect.objectContaining({ name: 'weather' }),
      expect.objectContaining({ name: 'rare', defer_loading: true }),
      { type: 'tool_search' },
    ])
    expect((body['tools'] as Json[])[0]).not.toHaveProperty('defer_loading')
  })
})

describe('what users and systems say', () => {
  it('stands in its place, with options of message and part', async () => {
    const cached = { prompt_cache_breakpoint: { type: 'ephemeral' } }
    expect(
      await inputOf(
        {
          role: 'system',
          content: 'Be brief.',
          providerOptions: { openai: { role: 'developer' } },
        },
        { role: 'user', content: [text('Hello', cached)] },
        { role: 'system', content: 'Briefer.' },
      ),
    ).toEqual([
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Hello', ...cached }] },
      { role: 'system', content: 'Briefer.' },
    ])
  })

  const png = { type: 'image', mediaType: 'image/png' } as const
  const pdf = { type: 'file', mediaType: 'application/pdf' } as const
  it.each<[string, UserPart, JsonObject]>([
    [
      'an image',
      { ...png, data: 'AA==' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
    ],
    [
      'an image at an address, in detail',
      { ...png, url: 'https://x/y.png', providerOptions: { openai: { detail: 'high' } } },
      { type: 'input_image', image_url: 'https://x/y.png', detail: 'high' },
    ],
    [
      'an image as a file',
      { type: 'file', mediaType: 'image/webp', data: 'AA==' },
      { type: 'input_image', image_url: 'data:image/webp;base64,AA==', detail: 'auto' },
    ],
    [
      'an uploaded image',
      { ...png, providerOptions: { openai: { file_id: 'file_1' } } },
      { type: 'input_image', file_id: 'file_1', detail: 'auto' },
    ],
    [
      'a file',
      { ...pdf, data: 'AA==', name: 'a.pdf' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
    ],
    [
      'a file without a name, inline by its address',
      { ...pdf, url: 'data:application/pdf;base64,AA==' },
      { type: 'input_file', filename: 'file.pdf', file_data: 'data:application/pdf;base64,AA==' },
    ],
    [
      'a file at an address',
      { ...pdf, url: 'https://x/y.pdf' },
      { type: 'input_file', file_url: 'https://x/y.pdf' },
    ],
    [
      'an uploaded file',
      { ...pdf, providerOptions: { openai: { file_id: 'file_1' } } },
      { type: 'input_file', file_id: 'file_1' },
    ],
  ])('may be %s', async (_what, part, expected) => {
    expect(await inputOf(user([part]))).toEqual([{ role: 'user', content: [expected] }])
  })

  it.each<[string, UserPart]>([
    ['audio', { type: 'audio', mediaType: 'audio/wav', data: 'AA==' }],
    ['an image without data', png],
    ['a file without data', pdf],
  ])('cannot be %s', async (_what, part) => {
    await expect(inputOf(user([part]))).rejects.toBeInstanceOf(ConfigurationError)
    await expect(inputOf(user([part]))).rejects.toMatchObject({ code: 'invalid-message' })
  })

  it('is well-formed, whatever it was', async () => {
    const sent = await rawBody([user('x\ud83c'), result('call_1', 'y\udf89')])
    expect(sent).not.toMatch(/\\ud[89a-f]/i)
    expect(sent).toContain('x\ufffd')
  })
})

describe('what tools return', () => {
  it('is the output of its call, with options of message and response', async () => {
    const message: Message = {
      role: 'tool',
      responses: [
        { id: 'call_1', name: 'weather', content: 'rain' },
        {
          id: 'call_2',
          name: 'weather',
          content: 'No such city.',
          isError: true,
          providerOptions: { openai: { status: 'incomplete' } },
        },
      ],
      providerOptions: { openai: { id: 'fco_1' } },
    }
    expect(await inputOf(message)).toEqual([
      { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
      {
        type: 'function_call_output',
        call_id: 'call_2',
        output: 'No such city.',
        status: 'incomplete',
        id: 'fco_1',
      },
    ])
  })

  it('may be text, images and files; anything else is named', async () => {
    const parts: UserPart[] = [
      text('Here:'),
      { type: 'image', mediaType: 'image/png', data: 'AA==' },
      { type: 'file', mediaType: 'text/csv', data: 'AA==', name: 'a.csv' },
      { type: 'image', mediaType: 'image/tiff', data: 'AA==' },
      { type: 'audio', mediaType: 'audio/wav', data: 'AA==' },
      { type: 'file', mediaType: 'application/zip', data: 'AA==', name: 'a.zip' },
      { type: 'image', mediaType: 'image/png' },
    ]
    const [item] = await inputOf(result('call_1', parts))
    expect(item).toEqual({
      type: 'function_call_output',
      call_id: 'call_1',
      output: [
        { type: 'input_text', text: 'Here:' },
        { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
        { type: 'input_file', filename: 'a.csv', file_data: 'data:text/csv;base64,AA==' },
        ...['image/tiff', 'audio/wav', 'a.zip', 'image/png'].map((named) => ({
          type: 'input_text',
          text: expect.stringContaining(named),
        })),
      ],
    })
  })

  it('names the program that called, as the call did', async () => {
    const caller = { type: 'program', caller_id: 'call_0' }
    const made = call('call_1', { providerData: { type: 'function_call', id: 'fc_1', caller } })
    expect(await inputOf(assistant(made), result('call_1', 'rain'))).toEqual([
      {
        type: 'function_call',
        id: 'fc_1',
        caller,
        call_id: 'call_1',
        name: 'weather',
        arguments: '{"city":"Oslo"}',
      },
      { type: 'function_call_output', call_id: 'call_1', output: 'rain', caller },
    ])
  })
})

describe('what the model said', () => {
  const reasoning = {
    id: 'rs_1',
    type: 'reasoning',
    encrypted_content: 'gAAAA',
    summary: [{ type: 'summary_text', text: 'Hm.' }],
  }
  const thought: AssistantPart = { type: 'reasoning', text: 'Hm.', providerData: reasoning }
  const message = { id: 'msg_1', status: 'completed', phase: 'commentary' }

  it('goes back as the items it was, in order', async () => {
    const search = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: {} }
    const annotations = [{ type: 'url_citation', url: 'https://x' }]
    expect(
      await inputOf(
        user('Hello'),
        assistant(
          thought,
          provider(search),
          text('One, ', { message }),
          text('two.', { message, annotations }),
          text('Three.', { message: { id: 'msg_2' } }),
          call('call_1', {
            providerData: { type: 'function_call', id: 'fc_1', status: 'completed' },
          }),
        ),
      ),
    ).toEqual([
      { role: 'user', content: 'Hello' },
      reasoning,
      search,
      {
        type: 'message',
        role: 'assistant',
        ...message,
        content: [
          { type: 'output_text', text: 'One, ', annotations: [] },
          { type: 'output_text', text: 'two.', annotations },
        ],
      },
      {
        type: 'message',
        role: 'assistant',
        id: 'msg_2',
        content: [{ type: 'output_text', text: 'Three.', annotations: [] }],
      },
      {
        type: 'function_call',
        id: 'fc_1',
        status: 'completed',
        call_id: 'call_1',
        name: 'weather',
        arguments: '{"city":"Oslo"}',
      },
    ])
  })

  it('is plain where it comes from elsewhere, with the options of its message', async () => {
    expect(
      await inputOf(
        {
          role: 'assistant',
          content: 'Hi',
          providerOptions: { openai: { phase: 'final_answer' } },
        },
        assistant(text('One, '), text('two.'), call('toolu_1')),
        assistant(text(' ')),
        { role: 'assistant', content: '' },
        assistant({ type: 'image', mediaType: 'image/png', data: 'AA==', name: 'a cat' }),
      ),
    ).toEqual([
      { role: 'assistant', content: 'Hi', phase: 'final_answer' },
      { role: 'assistant', content: 'One, two.' },
      {
        type: 'function_call',
        call_id: 'toolu_1',
        name: 'weather',
        arguments: '{"city":"Oslo"}',
      },
      { role: 'assistant', content: expect.stringContaining('a cat') },
    ])
  })

  it('leaves out what another provider did and thought', async () => {
    const foreign: AssistantPart[] = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'reasoning', text: 'Hm.', providerData: { type: 'thinking', signature: 'x' } },
      { type: 'reasoning', text: 'Hm.', providerData: { field: 'reasoning_content' } },
      provider({ type: 'server_tool_use', id: 'srvtoolu_1' }),
      provider({ type: 'web_search_tool_result', id: 'x' }),
      provider({ type: 'compaction', content: 'Summary' }),
      provider({ type: 'reference', text: 'x' }),
      { type: 'provider', kind: 'executableCode', data: { code: 'x' } },
      { type: 'provider', kind: 'annotations', data: [] },
      call('call_1', { providerData: { extra_content: { google: 'x' } } }),
    ]
    expect(await inputOf(assistant(...foreign))).toEqual([
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
    ])
  })

  it.each<JsonObject>([
    { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    { type: 'computer_call_output', call_id: 'call_1', output: {} },
    { type: 'local_shell_call_output', id: 'x', output: '' },
    { type: 'custom_tool_call_output', call_id: 'call_1', output: 'x' },
    { type: 'item_reference', id: 'msg_1' },
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'x' },
    { type: 'program', id: 'cm_1', call_id: 'x', code: '' },
    { type: 'mcp_list_tools', id: 'mcpl_1', tools: [] },
    { type: 'brand_new', id: 'bn_1' },
  ])('may be an item that a program made itself: $type', async (item) => {
    expect(await inputOf(assistant(provider(item)))).toEqual([item])
  })

  it('may be a refusal, of this dialect or of the other', async () => {
    const refusal = { type: 'refusal', refusal: 'No.' }
    const marked = { ...provider(refusal), providerOptions: { openai: { message } } }
    const words: AssistantPart = { type: 'provider', kind: 'refusal', data: 'No.' }
    expect(await inputOf(assistant(text('Well. ', { message }), marked), assistant(words))).toEqual(
      [
        {
          type: 'message',
          role: 'assistant',
          ...message,
          content: [{ type: 'output_text', text: 'Well. ', annotations: [] }, refusal],
        },
        { role: 'assistant', content: 'No.' },
      ],
    )
  })

  it('does not end with a thought that led to nothing', async () => {
    expect(await inputOf(user('Hello'), assistant(thought), user('And?'))).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'And?' },
    ])
  })

  it('has arguments that are JSON, and ids that are short enough and still different', async () => {
    const ids = ['x'.repeat(64), `${'x'.repeat(70)}1`, `${'x'.repeat(70)}2`]
    const messages = ids.flatMap((id) => [
      assistant(call(id, { arguments: '{"city":' })),
      result(id, 'rain'),
    ])
    const items = (await inputOf(...messages)) as readonly JsonObject[]
    const sent = items.map((item) => item['call_id'] as string)
    expect(sent[0]).toBe(ids[0])
    expect(new Set(sent).size).toBe(3)
    for (const id of sent) expect(id.length).toBeLessThanOrEqual(64)
    for (const [index, id] of sent.entries()) if (index % 2 === 1) expect(id).toBe(sent[index - 1])
    expect(items[0]!['arguments']).toBe('{}')
  })

  it('is written once, and stays the same text in later rounds', async () => {
    const said = assistant(thought, text('Hi', { message }))
    const first = await rawBody([user('Hello'), said])
    const second = await rawBody([user('Hello'), said, user('And?')])
    expect(second.startsWith(first.slice(0, -2))).toBe(true)
  })
})
