import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart, Message, ToolResponse, UserPart } from '../../messages/message.ts'
import type { ChatOptions } from '../../model/chat-model.ts'
import type { Transport } from '../../ports/transport.ts'
import { DEFAULT_METADATA } from '../../tools/tool-metadata.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import { google, type GoogleOptions } from './index.ts'

const ANSWER = { candidates: [{ content: { parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] }

type Body = { readonly [field: string]: Json } & { readonly contents: readonly JsonObject[] }
type Asked = GoogleOptions & { readonly model?: string }

async function request(
  messages: readonly Message[],
  options: ChatOptions = {},
  { model: name = 'gemini-3-test', ...more }: Asked = {},
): Promise<{ url: string; body: string }> {
  let sent = { url: '', body: '' }
  const transport: Transport = ({ url, body }) => {
    sent = { url, body }
    const chunks = (async function* () {
      yield new TextEncoder().encode(JSON.stringify(ANSWER))
    })()
    return Promise.resolve({ status: 200, header: () => 'application/json', body: chunks })
  }
  const model = google(name, { apiKey: 'test-key', transport, ...more })
  await model.call({ messages, options })
  return sent
}
const bodyOf = async (...asked: Parameters<typeof request>): Promise<Body> =>
  JSON.parse((await request(...asked)).body) as Body
const contentsOf = async (...asked: Parameters<typeof request>): Promise<Body['contents']> =>
  (await bodyOf(...asked)).contents

const older = { model: 'gemini-2.5-flash' }
const user = (content: string | readonly UserPart[]): Message => ({ role: 'user', content })
const assistant = (...content: AssistantPart[]): Message => ({ role: 'assistant', content })
const results = (...responses: ToolResponse[]): Message => ({ role: 'tool', responses })
const call = (id: string, more: object = {}): AssistantPart => ({
  type: 'tool-call',
  id,
  name: 'weather',
  arguments: '{}',
  ...more,
})
/** A call that this provider made. */
const own = (id: string, more: JsonObject = {}): AssistantPart =>
  call(id, { providerData: { functionCall: { id }, ...more } })
const result = (id: string, content: ToolResponse['content'] = 'rain'): ToolResponse => ({
  id,
  name: 'weather',
  content,
})
const UNSIGNED = 'skip_thought_signature_validator'

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
  it('sends the conversation, and nothing nobody asked for', async () => {
    const { url, body } = await request([user('Hello')])
    expect(url).toBe(
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-test:generateContent',
    )
    expect(body).toBe('{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}')
  })

  it.each([
    ['tunedModels/mine', 'tunedModels/mine'],
    ['models/gemini-3', 'models/gemini-3'],
    ['odd name?', 'models/odd%20name%3F'],
  ])('names the model %s in the path', async (model, place) => {
    const { url } = await request([user('Hi')], {}, { model })
    expect(url).toMatch(new RegExp(`/v1beta/${place.replace(/[?]/g, '\\?')}:generateContent$`))
  })

  it('sends what the options say, the prompt before the model', async () => {
    const options = { temperature: 0.5, topP: 0.9, topK: 5, stopSequences: ['END'], seed: 1 }
    const asked = { options: { maxTokens: 100, temperature: 1 } }
    const { url, body } = await request([user('Hi')], { ...options, model: 'other' }, asked)
    expect(url).toContain('/models/other:')
    expect((JSON.parse(body) as Body)['generationConfig']).toEqual({
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 5,
      stopSequences: ['END'],
      seed: 1,
    })
  })

  it('passes on what is for this provider, beside its own', async () => {
    const mine = {
      cachedContent: 'cachedContents/1',
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      labels: { team: 'a' },
      generationConfig: { thinkingConfig: { thinkingLevel: 'low' }, temperature: 0 },
    }
    const providerOptions = { google: mine, openai: { labels: 'not ours' } }
    const body = await bodyOf([user('Hi')], { providerOptions, maxTokens: 5, temperature: 1 })
    expect(body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      ...mine,
      generationConfig: { maxOutputTokens: 5, ...mine.generationConfig },
    })
  })

  it('sends no tools beside cached content, which holds them', async () => {
    const providerOptions = { google: { cachedContent: 'cachedContents/1' } }
    const options = { providerOptions, tools: [toolOf()], toolChoice: 'required' } as const
    const body = await bodyOf([user('Hi')], options)
    expect(Object.keys(body).sort()).toEqual(['cachedContent', 'contents'])
  })

  it('asks for JSON of a schema, where the model takes one', async () => {
    const outputSchema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1 } },
      additionalProperties: false,
    } as const
    const body = await bodyOf([user('Hi')], { outputSchema })
    expect(body['generationConfig']).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: outputSchema,
    })
    const inWords = await bodyOf([user('Hi')], { outputSchema }, older)
    expect(inWords).not.toHaveProperty('generationConfig')
    expect(JSON.stringify(inWords)).toContain('minimum')
    const capabilities = { structuredOutput: true }
    const held = await bodyOf([user('Hi')], { outputSchema }, { ...older, capabilities })
    expect(held['generationConfig']).toMatchObject({ responseJsonSchema: outputSchema })
  })
})

describe('system prompt', () => {
  const system = (content: string, more: object = {}): Message => ({
    role: 'system',
    content,
    ...more,
  })

  it('stands apart, from wherever it was said', async () => {
    const partMetadata = { from: 'us' }
    const marked = system('Be brief.', { providerOptions: { google: { partMetadata } } })
    const body = await bodyOf([system('Be kind.'), system(''), user('Hi'), marked])
    expect(body['systemInstruction']).toEqual({
      parts: [{ text: 'Be kind.' }, { text: 'Be brief.', partMetadata }],
    })
    expect(body.contents).toEqual([{ role: 'user', parts: [{ text: 'Hi' }] }])
  })

  it('is said by the user to models that have no place for it', async () => {
    const body = await bodyOf([system('Be kind.'), user('Hi')], {}, { model: 'gemma-3-27b-it' })
    expect(body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Be kind.' }, { text: 'Hi' }] }],
    })
  })
})

describe('contents', () => {
  it('alternate: neighbours of one role become one content', async () => {
    const said = (words: string): AssistantPart => ({ type: 'text', text: words })
    expect(
      await contentsOf([
        user('A'),
        user([{ type: 'text', text: 'B' }]),
        assistant(said('C')),
        { role: 'assistant', content: 'D' },
        user('E'),
      ]),
    ).toEqual([
      { role: 'user', parts: [{ text: 'A' }, { text: 'B' }] },
      { role: 'model', parts: [{ text: 'C' }, { text: 'D' }] },
      { role: 'user', parts: [{ text: 'E' }] },
    ])
  })

  it('leave out empty text, and messages that hold nothing else', async () => {
    const foreign: AssistantPart = { type: 'reasoning', text: 'Hm', providerData: { type: 'x' } }
    const empty: AssistantPart = { type: 'text', text: '' }
    expect(await contentsOf([user('A'), user(''), assistant(foreign, empty), user('B')])).toEqual([
      { role: 'user', parts: [{ text: 'A' }, { text: 'B' }] },
    ])
  })

  it('have all results of a round first, whatever else was said', async () => {
    const contents = await contentsOf([
      user('Hi'),
      assistant(own('a'), own('b')),
      user('Hurry!'),
      results(result('a'), { ...result('b', 'no'), isError: true }),
    ])
    expect(contents[2]).toEqual({
      role: 'user',
      parts: [
        { functionResponse: { id: 'a', name: 'weather', response: { output: 'rain' } } },
        { functionResponse: { id: 'b', name: 'weather', response: { error: 'no' } } },
        { text: 'Hurry!' },
      ],
    })
  })

  it('say the id of a result only where the model gave its call one', async () => {
    const contents = await contentsOf([
      user('Hi'),
      assistant(own('a'), call('b'), call('c', { providerData: { extra_content: {} } })),
      results(result('a'), result('b'), result('c', '')),
    ])
    const [, calls, answers] = contents.map((content) => content['parts'] as any[])
    expect(calls!.map((part) => part.functionCall.id)).toEqual(['a', undefined, undefined])
    expect(answers!.map((part) => part.functionResponse.id)).toEqual(['a', undefined, undefined])
    expect(answers![2].functionResponse.response).toEqual({ output: '' })
  })

  it('pair each round for itself, also when a message is used again in another one', async () => {
    const answered = results(result('a'))
    const once = await contentsOf([user('Hi'), assistant(own('a')), answered])
    const again = await contentsOf([user('Hi'), assistant(call('a')), answered])
    expect(JSON.stringify(once[2])).toContain('"id":"a"')
    expect(JSON.stringify(again[2])).not.toContain('"id"')
  })

  it('have options of a message on its last part, those of a part on it', async () => {
    const options = (partMetadata: JsonObject): object => ({
      providerOptions: { google: { partMetadata }, openai: { x: 1 } },
    })
    const contents = await contentsOf([
      {
        ...user([
          { type: 'text', text: 'A', ...options({ part: 1 }) },
          { type: 'text', text: 'B' },
        ]),
        ...options({ message: 1 }),
      } as Message,
      assistant(own('a')),
      {
        ...results({ ...result('a'), providerOptions: { google: { scheduling: 'SILENT' } } }),
        providerOptions: { google: { willContinue: false } },
      } as Message,
    ])
    expect(contents[0]!['parts']).toEqual([
      { text: 'A', partMetadata: { part: 1 } },
      { text: 'B', partMetadata: { message: 1 } },
    ])
    expect(contents[2]!['parts']).toMatchObject([
      { functionResponse: { scheduling: 'SILENT', willContinue: false } },
    ])
  })
})

describe('parts of the model', () => {
  const partsOf = async (message: Message, asked?: Asked): Promise<Json> =>
    (await contentsOf([user('Hi'), message, user('Go on')], {}, asked))[1]!['parts']!

  it('keep thoughts and what this provider did, and drop what another thought or did', async () => {
    const data = { executableCode: { code: '1' }, thoughtSignature: 's' }
    expect(
      await partsOf(
        assistant(
          { type: 'reasoning', text: 'Hm', providerData: { thought: true, thoughtSignature: 's' } },
          { type: 'reasoning', text: 'Hm', providerData: { type: 'thinking', thinking: 'Hm' } },
          { type: 'reasoning', text: 'Hm' },
          { type: 'provider', kind: 'executableCode', data },
          { type: 'provider', kind: 'groundingMetadata', data: { webSearchQueries: [] } },
          { type: 'provider', kind: 'refusal', data: { type: 'refusal', refusal: 'No' } },
          { type: 'provider', kind: 'server_tool_use', data: { type: 'server_tool_use' } },
          { type: 'provider', kind: 'annotations', data: [] },
          { type: 'text', text: '', providerOptions: { google: { thoughtSignature: 't' } } },
        ),
      ),
    ).toEqual([
      { text: 'Hm', thought: true, thoughtSignature: 's' },
      data,
      { text: '', thoughtSignature: 't' },
    ])
  })

  it('send arguments as the text they came as, and as {} when they are no object', async () => {
    const texts = ['{"n": 12345678901234567890}', '[1]', '{"cut', '', 'null']
    const calls = texts.map((text, at) => call(`c${at}`, { arguments: text }))
    const { body } = await request([user('Hi'), assistant(...calls), user('x')])
    const written = [...body.matchAll(/"args":(\{.*?\})\}/g)].map((match) => match[1])
    expect(written).toEqual(['{"n": 12345678901234567890}', '{}', '{}', '{}', '{}'])
  })

  it('mark the first call of a round that another model made, for models that sign', async () => {
    const first = await partsOf(assistant(call('a'), call('b')))
    expect(first).toEqual([
      { functionCall: { name: 'weather', args: {} }, thoughtSignature: UNSIGNED },
      { functionCall: { name: 'weather', args: {} } },
    ])
    const signed = await partsOf(assistant(own('a', { thoughtSignature: 's' }), call('b')))
    expect(signed).toEqual([
      { functionCall: { id: 'a', name: 'weather', args: {} }, thoughtSignature: 's' },
      { functionCall: { name: 'weather', args: {} } },
    ])
    for (const model of ['gemini-2.5-flash', 'gemini-2.0-flash-001', 'gemini-robotics-er-1.5'])
      expect(JSON.stringify(await partsOf(assistant(call('a')), { model }))).not.toContain(UNSIGNED)
  })

  it('keep media, and have a line of text for those that are nowhere', async () => {
    expect(
      await partsOf(
        assistant(
          { type: 'image', mediaType: 'image/png', data: 'AAAA' },
          { type: 'image', mediaType: 'image/png', name: 'gone.png' },
        ),
      ),
    ).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { text: '[image "gone.png" (image/png) left out: it cannot be shown here]' },
    ])
  })
})

describe('media', () => {
  it('goes inline or by address', async () => {
    const media: UserPart[] = [
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      { type: 'image', mediaType: 'image/*', url: 'data:image/webp;base64,BBBB' },
      { type: 'audio', mediaType: 'audio/mp3', data: 'CCCC' },
      {
        type: 'file',
        mediaType: 'video/mp4',
        url: 'https://example.org/a.mp4',
        providerOptions: { google: { videoMetadata: { fps: 1 } } },
      },
    ]
    expect((await contentsOf([user(media)]))[0]!['parts']).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { inlineData: { mimeType: 'image/webp', data: 'BBBB' } },
      { inlineData: { mimeType: 'audio/mp3', data: 'CCCC' } },
      {
        fileData: { mimeType: 'video/mp4', fileUri: 'https://example.org/a.mp4' },
        videoMetadata: { fps: 1 },
      },
    ])
  })

  it('is refused before anything is sent when there is nothing to send', async () => {
    const asked = request([user([{ type: 'image', mediaType: 'image/png' }])])
    await expect(asked).rejects.toMatchObject({ code: 'invalid-message' })
  })

  const image: UserPart = { type: 'image', mediaType: 'image/png', data: 'AAAA', name: 'map' }
  const sound: UserPart = { type: 'audio', mediaType: 'audio/wav', data: 'BBBB' }
  const archive: UserPart = { type: 'file', mediaType: 'application/zip', data: 'CCCC', name: 'z' }
  const returned = [
    user('Hi'),
    assistant(own('a'), own('b')),
    results(
      result('a', [{ type: 'text', text: 'See:' }, image, sound, archive]),
      result('b', 'rain'),
    ),
  ]
  const inline = (mimeType: string, data: string): object => ({ inlineData: { mimeType, data } })
  const note = '[file "z" (application/zip) left out: it cannot be shown here]'

  it('from a tool is inside the result where the model takes it there', async () => {
    expect((await contentsOf(returned))[2]!['parts']).toEqual([
      {
        functionResponse: {
          id: 'a',
          name: 'weather',
          response: { output: `See:\n[audio: after the results]\n${note}` },
          parts: [inline('image/png', 'AAAA')],
        },
      },
      { functionResponse: { id: 'b', name: 'weather', response: { output: 'rain' } } },
      { text: 'Media of result 1, tool weather:' },
      inline('audio/wav', 'BBBB'),
    ])
  })

  it('from a tool follows all results elsewhere', async () => {
    const after = (await contentsOf(returned, {}, older))[2]!['parts'] as JsonObject[]
    expect(after.map((part) => Object.keys(part)[0])).toEqual([
      'functionResponse',
      'functionResponse',
      'text',
      'inlineData',
      'inlineData',
    ])
    expect(after[0]).toMatchObject({
      functionResponse: {
        response: {
          output: `See:\n[image map: after the results]\n[audio: after the results]\n${note}`,
        },
      },
    })
    const capabilities = { mediaInResults: true }
    const inside = (await contentsOf(returned, {}, { ...older, capabilities }))[2]!['parts']
    expect(JSON.stringify(inside)).toContain('"parts":[{"inlineData"')
  })
})

describe('tools', () => {
  it('are declared with schema and their own options', async () => {
    const providerOptions = { google: { behavior: 'NON_BLOCKING' }, openai: { strict: true } }
    const tools = [toolOf(), toolOf({ name: 'time', description: '', providerOptions })]
    const body = await bodyOf([user('Hi')], { tools })
    expect(body['tools']).toEqual([
      {
        functionDeclarations: [
          {
            name: 'weather',
            description: 'Tells the weather',
            parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } } },
          },
          expect.objectContaining({ name: 'time', behavior: 'NON_BLOCKING' }),
        ],
      },
    ])
    expect(body).not.toHaveProperty('toolConfig')
  })

  it.each([
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [{ tool: 'weather' }, { mode: 'ANY', allowedFunctionNames: ['weather'] }],
  ] as const)('are chosen by %j', async (toolChoice, functionCallingConfig) => {
    const tools = [toolOf()]
    const body = await bodyOf([user('Hi')], { tools, toolChoice, parallelToolCalls: false })
    expect(body['toolConfig']).toEqual({ functionCallingConfig })
    expect(await bodyOf([user('Hi')], { toolChoice })).not.toHaveProperty('toolConfig')
  })

  it('are chosen as the options of the provider say', async () => {
    const toolConfig = {
      functionCallingConfig: { mode: 'VALIDATED' },
      retrievalConfig: { languageCode: 'de' },
    }
    const body = await bodyOf([user('Hi')], {
      tools: [toolOf()],
      toolChoice: 'auto',
      providerOptions: { google: { toolConfig } },
    })
    expect(body['toolConfig']).toEqual(toolConfig)
  })

  it('of the provider follow those of the program', async () => {
    const search = { googleSearch: {} }
    const providerOptions = { google: { tools: [search, { urlContext: {} }] } }
    const alone = await bodyOf([user('Hi')], { providerOptions })
    expect(alone['tools']).toEqual([search, { urlContext: {} }])
    expect(alone).not.toHaveProperty('toolConfig')
    const both = await bodyOf([user('Hi')], { providerOptions, tools: [toolOf()] })
    expect(both['tools']).toMatchObject([
      { functionDeclarations: [{ name: 'weather' }] },
      search,
      { urlContext: {} },
    ])
    expect(both['toolConfig']).toEqual({ includeServerSideToolInvocations: true })
    const before = await bodyOf([user('Hi')], { providerOptions, tools: [toolOf()] }, older)
    expect(before).not.toHaveProperty('toolConfig')
  })
})

it('sends only well-formed strings, wherever they come from', async () => {
  const lone = 'cut \ud83c'
  const { body } = await request(
    [
      { role: 'system', content: lone },
      user([{ type: 'text', text: lone }]),
      assistant(call('a', { arguments: `{"s":"${lone}"}` })),
      results({ id: 'a', name: lone, content: lone }),
    ],
    {
      tools: [toolOf({ description: lone })],
      providerOptions: { google: { labels: { l: lone } } },
    },
  )
  expect(body.isWellFormed()).toBe(true)
  expect(body).not.toMatch(/\\ud[89a-f]/i)
  // Everywhere but in the name, which is sent as an allowed one.
  expect(body.match(/\ufffd/g)).toHaveLength(6)
})
