/**
 * Answers written from Google's public documentation, served over HTTP to our adapter and to the official
 * client. Both must have the same message in the end, and send the same back in the next question.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GoogleGenAI, type Content, type GenerateContentResponse, type Part } from '@google/genai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { JsonObject } from '../../messages/json.ts'
import type { AssistantPart, Message } from '../../messages/message.ts'
import { textOf, toolCallsOf } from '../../messages/reading.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import { google } from './index.ts'

const MODEL = 'gemini-2.5-flash'

let server: Server
let answers: { readonly type: string; readonly body: string }[] = []
let sent: { readonly contents: readonly Content[] }[] = []
let model: ChatModel
let official: GoogleGenAI

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    sent.push(JSON.parse(body) as { contents: Content[] })
    const { type, body: answer } = answers.shift()!
    response.writeHead(200, { 'content-type': type }).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  model = google(MODEL, { apiKey: 'test-key', baseUrl: `${host}/v1beta`, retry: false })
  official = new GoogleGenAI({ apiKey: 'test-key', httpOptions: { baseUrl: host } })
})
beforeEach(() => {
  sent = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** What an answer says, whoever assembled it. */
interface Said {
  readonly text: string
  readonly thoughts: string
  readonly calls: readonly object[]
  readonly code: readonly unknown[]
  readonly images: readonly unknown[]
  readonly signatures: readonly unknown[]
  readonly grounding: readonly unknown[]
  readonly ending: unknown
  readonly tokens: unknown
}

function ours({ results, usage }: ChatResponse): Said {
  const [generation] = results
  const content = generation!.message.content as readonly AssistantPart[]
  const of = <Type extends AssistantPart['type']>(
    type: Type,
  ): Extract<AssistantPart, { type: Type }>[] =>
    content.filter((part): part is Extract<AssistantPart, { type: Type }> => part.type === type)
  return {
    text: textOf(generation!),
    thoughts: of('reasoning')
      .map(({ text }) => text)
      .join(''),
    calls: of('tool-call').map(({ id, name, arguments: text }) => ({
      ...(id !== '' && { id }),
      name,
      args: JSON.parse(text) as unknown,
    })),
    code: of('provider').flatMap(({ kind, data }) =>
      /code/i.test(kind) ? [(data as JsonObject)[kind]] : [],
    ),
    images: of('image').map(({ mediaType, data }) => ({ mimeType: mediaType, data })),
    signatures: content.flatMap((part) => {
      const data =
        (part as { providerData?: JsonObject }).providerData ?? part.providerOptions?.google
      return data?.['thoughtSignature'] ?? []
    }),
    grounding: of('provider').flatMap(({ kind, data }) =>
      kind === 'groundingMetadata' ? [data] : [],
    ),
    ending: generation!.rawFinishReason,
    tokens: usage.totalTokens,
  }
}

function theirs(chunks: readonly GenerateContentResponse[]): Said {
  const candidates = chunks.flatMap((chunk) => chunk.candidates ?? [])
  const parts = candidates.flatMap(({ content }) => content?.parts ?? [])
  return {
    text: chunks.map((chunk) => textOfParts(chunk.candidates?.[0]?.content?.parts)).join(''),
    thoughts: parts.map((part) => (part.thought ? part.text : '')).join(''),
    calls: chunks.flatMap((chunk) => chunk.functionCalls ?? []),
    code: parts.flatMap((part) => part.executableCode ?? part.codeExecutionResult ?? []),
    images: parts.flatMap((part) => part.inlineData ?? []),
    signatures: parts.flatMap((part) => part.thoughtSignature ?? []),
    grounding: candidates.flatMap(({ groundingMetadata }) => groundingMetadata ?? []),
    ending:
      candidates.at(-1)?.finishReason ??
      chunks.find((chunk) => chunk.promptFeedback)?.promptFeedback?.blockReason,
    tokens: chunks.at(-1)!.usageMetadata?.totalTokenCount,
  }
}

const textOfParts = (parts: readonly Part[] = []): string =>
  parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('')

const around = (total: number): JsonObject => ({
  usageMetadata: { promptTokenCount: 9, totalTokenCount: total },
  modelVersion: MODEL,
  responseId: 'resp_1',
})
const chunk = (parts: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...fields }],
  ...around(30),
})
const STOP = { finishReason: 'STOP' }
const functionCall = (city: string, id?: string): JsonObject => ({
  ...(id !== undefined && { id }),
  name: 'get_current_temperature',
  args: { location: city },
})

/** Each as the chunks of a stream; joined to one they are the whole answer. */
const FIXTURES: { readonly [what: string]: readonly JsonObject[] } = {
  'a text': [
    chunk([{ text: 'AI learns ' }]),
    chunk([{ text: 'patterns from data.' }]),
    chunk([{ text: '' }], STOP),
  ],
  'a thought summary and an answer that is signed at its end': [
    chunk([{ text: '**Counting**\n\nThree clues. ', thought: true }]),
    chunk([{ text: 'Bob has the cat.', thought: true }]),
    chunk([{ text: 'Bob lives in the red house, ' }]),
    chunk([{ text: 'so he has the cat.' }]),
    chunk([{ text: '', thoughtSignature: 'c2lnbmVkLWF0LXRoZS1lbmQ=' }], STOP),
  ],
  'one call': [chunk([{ functionCall: functionCall('London') }], STOP)],
  'parallel calls, of which the first is signed': [
    chunk([{ functionCall: functionCall('Paris', 'fc_1'), thoughtSignature: 'U2lnX0E=' }]),
    chunk([{ functionCall: functionCall('London', 'fc_2') }]),
    chunk([{ text: '' }], STOP),
  ],
  'code that the provider ran': [
    chunk([{ text: 'Let me compute it.' }]),
    chunk([{ executableCode: { language: 'PYTHON', code: 'print(sum([2, 3, 5]))' } }]),
    chunk([{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '10\n' } }]),
    chunk([{ text: 'The sum is 10.' }], STOP),
  ],
  'an answer from a search': [
    chunk([{ text: 'Spain won Euro 2024.' }]),
    chunk([{ text: ' It was 2–1.' }], {
      ...STOP,
      groundingMetadata: {
        webSearchQueries: ['UEFA Euro 2024 winner'],
        searchEntryPoint: { renderedContent: '<div></div>' },
        groundingChunks: [{ web: { uri: 'https://example.org/1', title: 'example.org' } }],
        groundingSupports: [
          {
            segment: { startIndex: 0, endIndex: 20, text: 'Spain won Euro 2024.' },
            groundingChunkIndices: [0],
          },
        ],
      },
    }),
  ],
  'an image': [
    chunk([{ text: 'Here it is:' }]),
    chunk([{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }], STOP),
  ],
  'an answer cut at the token limit': [
    chunk([{ text: 'Once upon' }], { finishReason: 'MAX_TOKENS' }),
  ],
  'an answer that was stopped': [chunk([{ text: 'Well, ' }], { finishReason: 'SAFETY' })],
}
const BLOCKED = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, ...around(9) }

const partsIn = (contents: readonly Content[]): Part[] =>
  contents.flatMap(({ parts }) => parts ?? [])

/** Neighbours that are plain text of one kind are one text, however many parts they come in. */
function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = []
  for (const { ...part } of parts) {
    const last = whole.at(-1)
    const isPlain = (x: Part | undefined): x is Part & { text: string } =>
      x !== undefined && Object.keys(x).every((key) => key === 'text' || key === 'thought')
    if (isPlain(part) && part.text === '') continue
    if (isPlain(last) && isPlain(part) && last.thought === part.thought) last.text += part.text
    else whole.push(part)
  }
  return whole
}

function wholeOf(chunks: readonly JsonObject[]): JsonObject {
  const candidates = chunks.flatMap((each) => each['candidates'] as JsonObject[])
  const contents = candidates.map((each) => each['content'] as unknown as Content)
  const parts = joined(partsIn(contents)) as unknown as JsonObject[]
  return {
    ...chunks.at(-1),
    candidates: [{ ...candidates.at(-1)!, content: { role: 'model', parts } }],
  }
}

const asStream = (chunks: readonly JsonObject[]): (typeof answers)[number] => ({
  type: 'text/event-stream',
  body: chunks.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`).join(''),
})
const asWhole = (body: JsonObject): (typeof answers)[number] => ({
  type: 'application/json',
  body: JSON.stringify(body),
})

const question: Message = { role: 'user', content: 'Hi' }
const contents: Content[] = [{ role: 'user', parts: [{ text: 'Hi' }] }]

async function streamed(): Promise<ChatResponse> {
  for await (const event of model.stream({ messages: [question] }))
    if (event.type === 'response') return event.response
  throw new Error('no response')
}

async function streamedByClient(): Promise<GenerateContentResponse[]> {
  const chunks: GenerateContentResponse[] = []
  for await (const each of await official.models.generateContentStream({ model: MODEL, contents }))
    chunks.push(each)
  return chunks
}

describe('the official client and ours', () => {
  it.each(Object.keys(FIXTURES))('have the same of %s', async (what) => {
    const chunks = FIXTURES[what]!
    answers = [asStream(chunks), asStream(chunks)]
    const response = await streamed()
    expect(ours(response)).toEqual(theirs(await streamedByClient()))
    expect(sent[0]!.contents).toEqual(sent[1]!.contents)

    const whole = asWhole(wholeOf(chunks))
    answers = [whole, whole]
    const called = await model.call({ messages: [question] })
    const byClient = await official.models.generateContent({ model: MODEL, contents })
    expect(ours(called)).toEqual(theirs([byClient]))
    expect(called).toEqual(response)
  })

  it('have the same of a blocked prompt', async () => {
    answers = [asStream([BLOCKED]), asStream([BLOCKED]), asWhole(BLOCKED), asWhole(BLOCKED)]
    const byBoth = { ...ours(await streamed()), ...theirs(await streamedByClient()) }
    expect(byBoth).toMatchObject({ text: '', ending: 'PROHIBITED_CONTENT', tokens: 9 })
    const called = await model.call({ messages: [question] })
    expect(called.results[0]!.finishReason).toBe('content-filter')
    const byClient = await official.models.generateContent({ model: MODEL, contents })
    expect(ours(called)).toEqual(theirs([byClient]))
  })

  it.each(Object.keys(FIXTURES))('send %s back alike', async (what) => {
    const chunks = FIXTURES[what]!
    const last = asWhole(chunk([{ text: 'Bye.' }], STOP))
    answers = [asStream(chunks), asStream(chunks), last, last]
    const { message } = (await streamed()).results[0]!
    const calls = toolCallsOf(message)
    const responses = calls.map(({ id, name }) => ({ id, name, content: '21 °C' }))

    const chat = official.chats.create({ model: MODEL })
    for await (const _chunk of await chat.sendMessageStream({ message: 'Hi' }));
    const results = calls.map(({ id, name }) => ({
      functionResponse: { ...(id && { id }), name, response: { output: '21 °C' } },
    }))
    sent = []
    await chat.sendMessage({ message: results.length > 0 ? results : 'And now?' })
    const next: Message =
      calls.length > 0 ? { role: 'tool', responses } : { role: 'user', content: 'And now?' }
    await model.call({ messages: [question, message, next] })
    const [byClient, byUs] = sent.map((body) => joined(partsIn(body.contents)))
    expect(byUs).toEqual(byClient)
  })
})
