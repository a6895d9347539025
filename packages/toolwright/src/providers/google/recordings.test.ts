/**
 * Real answers, served over HTTP and read through the front door, then sent back as the provider demands.
 * The recordings are not part of the project: without them these tests are skipped.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart, Message } from '../../messages/message.ts'
import { textOf, toolCallsOf } from '../../messages/reading.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import { google } from './index.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const data = process.env['TOOLWRIGHT_DATA'] ?? join(root, '../shared')
const folder = [join(data, 'data/wire/google'), join(data, 'wire/google')].find(existsSync)
const files = folder === undefined ? [] : readdirSync(folder).sort()
const readText = (file: string): string => readFileSync(join(folder!, file), 'utf8')
/** Other recordings in the folder are of another API of this provider. */
const named = (ending: string, text: RegExp): string[] =>
  files.filter((file) => file.endsWith(ending) && text.test(readText(file)))
const wholes = named('.json', /^\s*\{\s*"(?:candidates|promptFeedback)"/)
const errors = named('.json', /^\s*\{\s*"error"/)
const streams = named('.chunks.txt', /^\s*\{"(?:candidates|promptFeedback)"/)

interface Recorded extends JsonObject {
  readonly candidates: readonly {
    readonly content?: { readonly parts?: readonly JsonObject[] }
    readonly finishReason: string
    readonly groundingMetadata?: Json
    readonly urlContextMetadata?: Json
  }[]
  readonly usageMetadata: { readonly [count: string]: number }
}

const readWhole = (file: string): Recorded => JSON.parse(readText(file)) as Recorded
const readStream = (file: string): readonly Recorded[] =>
  readText(file)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Recorded)

const partsOf = (answer: Recorded): readonly JsonObject[] =>
  (answer.candidates ?? []).flatMap(({ content }) => content?.parts ?? [])

/** What the API would have sent whole: texts joined, streamed arguments in place. */
function wholeOf(chunks: readonly Recorded[]): Recorded {
  const fields = Object.assign({}, ...chunks.flatMap(({ candidates = [] }) => candidates))
  const parts = joined(chunks.flatMap(partsOf))
  const usageMetadata = Object.assign({}, ...chunks.map((chunk) => chunk.usageMetadata))
  const candidates = [{ ...fields, content: { role: 'model', parts } }]
  return { ...Object.assign({}, ...chunks), candidates, usageMetadata } as Recorded
}

function joined(parts: readonly JsonObject[]): readonly JsonObject[] {
  const whole: { [field: string]: any }[] = []
  let open: { [field: string]: any } | undefined
  for (const part of parts) {
    const last = whole.at(-1)
    const { functionCall: call, ...extra } = part as { [field: string]: any }
    const isPlain = (x: object | undefined): boolean =>
      x !== undefined && Object.keys(x).every((key) => key === 'text' || key === 'thought')
    if (call) {
      if (!open && Object.keys(call).length === 0) continue
      if (!open) whole.push((open = { functionCall: { name: call.name, args: {} } }))
      Object.assign(open, extra)
      if (call.id) open.functionCall.id = call.id
      if (call.args) open.functionCall.args = call.args
      for (const value of call.partialArgs ?? []) put(open.functionCall.args, value)
      if (!call.willContinue) open = undefined
    } else if (part['text'] === '' && isPlain(part)) {
      continue
    } else if (isPlain(last) && isPlain(part) && last!.thought === part['thought']) {
      last!.text += part['text']
    } else {
      whole.push({ ...part })
    }
  }
  return whole
}

function put(root: any, { jsonPath, ...given }: any): void {
  const keys = jsonPath.slice(1).match(/\w+/g) as string[]
  const last = keys.pop()!
  let place = root
  keys.forEach((key, at) => {
    place = place[key] ??= /^\d+$/.test(keys[at + 1] ?? last) ? [] : {}
  })
  const value = given.stringValue ?? given.numberValue ?? given.boolValue ?? null
  place[last] = typeof place[last] === 'string' ? place[last] + value : value
}

/** The part says all that the recorded one says. */
function expectSame(part: AssistantPart, recorded: JsonObject): void {
  const { text, thought, functionCall, ...extra } = recorded
  if (functionCall !== undefined) {
    const { args = {}, ...call } = functionCall as JsonObject
    expect(part).toMatchObject({ type: 'tool-call', name: call['name'] })
    expect(part.type === 'tool-call' && JSON.parse(part.arguments)).toEqual(args)
    if (extra['thoughtSignature']) expect(part).toMatchObject({ providerData: extra })
  } else if (thought === true) {
    expect(part).toEqual({ type: 'reasoning', text, providerData: { thought, ...extra } })
  } else if (typeof text === 'string') {
    expect({
      text: part.type === 'text' && part.text,
      ...part.providerOptions?.['google'],
    }).toEqual({
      text,
      ...extra,
    })
  } else if (part.type === 'provider') {
    expect(part.data).toEqual(recorded)
  } else {
    expect(['image', 'audio', 'file']).toContain(part.type)
  }
}

describe.skipIf(files.length === 0)('recorded answers', () => {
  let server: Server
  let model: ChatModel
  let answer: { status?: number; type: string; body: string }
  let sent: { contents: { role: string; parts: JsonObject[] }[] }

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      sent = JSON.parse(body) as typeof sent
      response.writeHead(answer.status ?? 200, { 'content-type': answer.type }).end(answer.body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1beta`
    model = google('gemini-2.5-pro', { apiKey: 'test-key', baseUrl, retry: false })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const messages: readonly Message[] = [{ role: 'user', content: 'Hi' }]

  const call = (body: string): Promise<ChatResponse> => {
    answer = { type: 'application/json', body }
    return model.call({ messages })
  }
  const stream = async (chunks: readonly Recorded[]): Promise<ChatEvent[]> => {
    const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('')
    answer = { type: 'text/event-stream', body }
    const seen: ChatEvent[] = []
    for await (const event of model.stream({ messages })) seen.push(event)
    return seen
  }
  const responseIn = (events: readonly ChatEvent[]): ChatResponse => {
    const last = events.at(-1)!
    if (last.type !== 'response') throw new Error('The last event is no response.')
    return last.response
  }

  function expectAnswer(response: ChatResponse, recorded: Recorded): void {
    const [generation] = response.results
    const [candidate] = recorded.candidates
    const content = generation!.message.content as readonly AssistantPart[]
    const expected = joined(partsOf(recorded))
    const grounding = [candidate!.groundingMetadata, candidate!.urlContextMetadata].filter(Boolean)
    expect(content).toHaveLength(expected.length + grounding.length)
    for (const [index, part] of expected.entries()) expectSame(content[index]!, part)
    expect(generation!.rawFinishReason).toBe(candidate!.finishReason)
    const { promptTokenCount: prompt = 0, toolUsePromptTokenCount: results = 0 } =
      recorded.usageMetadata
    const { candidatesTokenCount: said = 0, thoughtsTokenCount: thought = 0 } =
      recorded.usageMetadata
    expect(response).toMatchObject({
      id: recorded['responseId'],
      model: recorded['modelVersion'],
      usage: {
        inputTokens: prompt + results,
        outputTokens: said + thought,
        totalTokens: recorded.usageMetadata['totalTokenCount'],
      },
    })
  }

  /** Asks again with the answer in the history, and looks at what is sent. */
  async function expectSentBack(response: ChatResponse, recorded: Recorded): Promise<void> {
    const { message } = response.results[0]!
    const responses = toolCallsOf(message).map(({ name }, at) => ({
      id: `call_${at}`,
      name,
      content: 'done',
    }))
    answer = { type: 'application/json', body: '{"candidates":[{"finishReason":"STOP"}]}' }
    await model.call({ messages: [...messages, message, { role: 'tool', responses }] })
    const expected = joined(partsOf(recorded)).map((part) =>
      part['functionCall']
        ? { ...part, functionCall: { args: {}, ...(part['functionCall'] as object) } }
        : part,
    )
    expect(sent.contents.find(({ role }) => role === 'model')?.parts ?? []).toEqual(expected)
  }

  it.each(wholes)('%s is read whole and goes back as it came', async (file) => {
    const recorded = readWhole(file)
    const response = await call(readText(file))
    expectAnswer(response, recorded)
    await expectSentBack(response, recorded)
  })

  it.each(streams)(
    '%s is assembled as if it had come whole, and goes back as it came',
    async (file) => {
      const chunks = readStream(file)
      const response = responseIn(await stream(chunks))
      const recorded = wholeOf(chunks)
      expectAnswer(response, recorded)
      expect(response).toEqual(await call(JSON.stringify(recorded)))
      await expectSentBack(response, recorded)
    },
  )

  it.each(streams)('%s tells its parts and deltas in order', async (file) => {
    const events = await stream(readStream(file))
    const response = responseIn(events)
    const joinedDeltas = (type: 'text-delta' | 'reasoning-delta'): string =>
      events.map((event) => (event.type === type ? event.text : '')).join('')
    const content = response.results[0]!.message.content as readonly AssistantPart[]
    const told = events.flatMap((event): AssistantPart[] =>
      event.type === 'part' ? [event.part] : event.type === 'tool-call' ? [event.toolCall] : [],
    )
    expect(told).toEqual(content.filter((part) => part.type !== 'text'))
    expect(joinedDeltas('text-delta')).toBe(textOf(response))
    const thoughts = content.map((part) => (part.type === 'reasoning' ? part.text : ''))
    expect(joinedDeltas('reasoning-delta')).toBe(thoughts.join(''))
  })

  it.each(errors)('%s rejects with what the error says', async (file) => {
    const { error } = JSON.parse(readText(file)) as {
      error: { code: number; message: string; details?: { retryDelay?: string }[] }
    }
    const delay = error.details?.find(({ retryDelay }) => retryDelay)?.retryDelay
    answer = { status: error.code, type: 'application/json', body: readText(file) }
    const thrown = await model.call({ messages }).catch((failure: unknown) => failure)
    expect(thrown).toMatchObject({
      status: error.code,
      message: expect.stringContaining(error.message),
      ...(delay !== undefined && { retryAfterMs: parseFloat(delay) * 1000 }),
    })
  })
})
