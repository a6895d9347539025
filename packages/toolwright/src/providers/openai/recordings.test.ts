/**
 * Real answers of OpenAI and of other servers that speak the Responses API, served over HTTP and read through
 * the front door, then sent back as a provider would demand. The recordings are not part of the project:
 * without them these tests are skipped.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { JsonObject } from '../../messages/json.ts'
import type { AssistantPart, Message } from '../../messages/message.ts'
import { textOf, toolCallsOf } from '../../messages/reading.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import { openai } from './index.ts'

const root = join(import.meta.dirname, '../../../../..')
const shared = process.env['TOOLWRIGHT_DATA'] ?? join(root, '../shared')
const data = [join(shared, 'data/wire'), join(shared, 'wire')].find(existsSync) ?? shared
const PROVIDERS = ['openai', 'open-responses', 'xai']

interface Recording {
  readonly name: string
  readonly whole?: any
  readonly events?: readonly any[]
}

function recordings(): readonly Recording[] {
  return PROVIDERS.map((provider) => join(data, provider))
    .filter(existsSync)
    .flatMap((folder) =>
      readdirSync(folder)
        .sort()
        .map((file) => join(folder, file)),
    )
    .flatMap(readRecording)
}

/** Some files hold several answers in a row: each is one stream. */
function readRecording(path: string): readonly Recording[] {
  const name = path.slice(data.length + 1)
  const text = readFileSync(path, 'utf8')
  if (path.endsWith('.json')) return [{ name, whole: JSON.parse(text) }]
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const streams: any[][] = []
  for (const event of lines.map((line) => JSON.parse(line))) {
    if (event.type === 'response.created' || streams.length === 0) streams.push([])
    streams.at(-1)!.push(event)
  }
  return streams.map((events, index) => ({
    name: streams.length === 1 ? name : `${name} (${index + 1})`,
    events,
  }))
}

const all = recordings()
const isFailed = ({ whole, events }: Recording): boolean =>
  whole?.error?.message !== undefined || events?.some(({ type }) => type === 'error') === true
const wholes = all.filter((one) => Array.isArray(one.whole?.output))
const streams = all.filter((one) => one.events?.[0]?.type === 'response.created' && !isFailed(one))
const failures = all.filter(isFailed)

const answerIn = (events: readonly any[]): any =>
  events.find(({ type }) => type === 'response.completed' || type === 'response.incomplete')
    .response

/** What the API would have sent in one piece: written apart from the adapter, to check it. */
function wholeOf(events: readonly any[]): any {
  const output = events
    .filter(({ type }) => type === 'response.output_item.done')
    .map(({ item }) => item)
  return { ...answerIn(events), output }
}

/** In full in the names of tests, because `npm run test:wire` counts by them. */
const named = (recordings: readonly Recording[]) =>
  recordings.map((recording) => [recording.name, recording] as const)

describe.skipIf(all.length === 0)('recorded answers', () => {
  let server: Server
  let model: ChatModel
  let answer: { readonly type: string; readonly body: string }
  let sent: any

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      sent = JSON.parse(body)
      response.writeHead(200, { 'content-type': answer.type }).end(answer.body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    model = openai('gpt-test', { baseUrl, retry: false })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const messages: readonly Message[] = [{ role: 'user', content: 'Hi' }]

  const call = (body: unknown): Promise<ChatResponse> => {
    answer = { type: 'application/json', body: JSON.stringify(body) }
    return model.call({ messages })
  }
  async function stream(events: readonly any[]): Promise<ChatEvent[]> {
    const body = events
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('')
    answer = { type: 'text/event-stream', body }
    const seen: ChatEvent[] = []
    for await (const event of model.stream({ messages })) seen.push(event)
    return seen
  }
  async function streamed(events: readonly any[]): Promise<ChatResponse> {
    const last = (await stream(events)).at(-1)
    if (last?.type !== 'response') throw new Error('The last event is no response.')
    return last.response
  }

  function expectAnswer(response: ChatResponse, recorded: any): void {
    const parts = response.results[0]!.message.content as readonly AssistantPart[]
    const items: any[] = recorded.output
    const contents = items.flatMap((item) => (item.type === 'message' ? item.content : []))
    const texts = contents.filter(({ type }) => type === 'output_text').map(({ text }) => text)
    expect(textOf(response)).toBe(texts.join(''))
    expect(toolCallsOf(response)).toEqual(
      items
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id, name, arguments: text, ...own }) => ({
          type: 'tool-call',
          id: call_id,
          name,
          arguments: text,
          providerData: own,
        })),
    )
    expect(parts.filter(({ type }) => type === 'reasoning')).toEqual(
      items
        .filter(({ type }) => type === 'reasoning')
        .map((item) => ({
          type: 'reasoning',
          text: [...item.summary, ...(item.content ?? [])].map(({ text }) => text).join('\n\n'),
          providerData: item,
        })),
    )
    expect(parts.filter(({ type }) => type === 'provider')).toEqual(
      items
        .filter(({ type }) => !['message', 'reasoning', 'function_call'].includes(type))
        .map((item) => ({ type: 'provider', kind: item.type, data: item })),
    )
    expect(response).toMatchObject({ id: recorded.id, model: recorded.model })
    expect(response.usage).toEqual({
      inputTokens: recorded.usage.input_tokens,
      outputTokens: recorded.usage.output_tokens,
      totalTokens: recorded.usage.total_tokens,
      cacheReadTokens: recorded.usage.input_tokens_details.cached_tokens,
      reasoningTokens: recorded.usage.output_tokens_details.reasoning_tokens,
      ...('cache_write_tokens' in recorded.usage.input_tokens_details && { cacheWriteTokens: 0 }),
    })
    const hasCalls = items.some(({ type }) => type === 'function_call')
    expect(response.results[0]).toMatchObject({
      finishReason: hasCalls ? 'tool-calls' : 'stop',
      rawFinishReason: 'completed',
    })
  }

  /** Asks again with the answer in the history, and looks at what is sent. */
  async function expectSentBack(response: ChatResponse, recorded: any): Promise<void> {
    const { message } = response.results[0]!
    const responses = toolCallsOf(message).map(({ id, name }) => ({ id, name, content: 'done' }))
    await call({ output: [] })
    await model.call({ messages: [...messages, message, { role: 'tool', responses }] })
    const back: any[] = sent.input.slice(1)
    const items: any[] = recorded.output
    expect(back.slice(0, items.length)).toEqual(items.map(withoutLogprobs))
    expect(back.slice(items.length)).toEqual(
      items
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id, caller }) => ({
          type: 'function_call_output',
          call_id,
          output: 'done',
          ...(caller && { caller }),
        })),
    )
    for (const [index, item] of items.entries()) {
      // Messages and calls are ours to spell; all else must be the same to the byte.
      if (item.type === 'message' || item.type === 'function_call') continue
      expect(JSON.stringify(back[index])).toBe(JSON.stringify(item))
    }
  }

  const withoutLogprobs = (item: any): any =>
    item.type !== 'message'
      ? item
      : {
          ...item,
          content: item.content.map(({ logprobs: _logprobs, ...content }: any) => content),
        }

  it.each(named(wholes))('%s is read whole and goes back as it came', async (_name, { whole }) => {
    const response = await call(whole)
    expectAnswer(response, whole)
    await expectSentBack(response, whole)
  })

  it.each(named(streams))('%s is assembled as if it had come whole', async (_name, { events }) => {
    const whole = wholeOf(events!)
    const response = await streamed(events!)
    expectAnswer(response, whole)
    expect(response).toEqual(await call(whole))
    await expectSentBack(response, whole)
  })

  it.each(streams)(
    '$name is the same without its pieces, and without its last list',
    async (one) => {
      const expected = await streamed(one.events!)
      const pieces = /\.delta$|content_part|_part\.|annotation|_text\.done$|arguments\.done$/
      expect(await streamed(one.events!.filter(({ type }) => !pieces.test(type)))).toEqual(expected)
      const bare = one.events!.map((event) =>
        event.type === 'response.completed'
          ? { ...event, response: { ...event.response, output: [] } }
          : event,
      )
      expect(await streamed(bare)).toEqual(expected)
    },
  )

  it.each(named(streams))(
    '%s tells its parts and deltas in order',
    async (_name, { events: recorded }) => {
      const events = await stream(recorded!)
      const last = events.at(-1)!
      if (last.type !== 'response') throw new Error('The last event is no response.')
      const joined = (type: 'text-delta' | 'reasoning-delta'): string =>
        events.map((event) => (event.type === type ? event.text : '')).join('')
      const content = last.response.results[0]!.message.content as readonly AssistantPart[]
      const told = events.flatMap((event): AssistantPart[] =>
        event.type === 'part' ? [event.part] : event.type === 'tool-call' ? [event.toolCall] : [],
      )
      expect(told).toEqual(content.filter((part) => part.type !== 'text'))
      expect(joined('text-delta')).toBe(textOf(last.response))
      const thoughts = content.map((part) => (part.type === 'reasoning' ? part.text : ''))
      expect(joined('reasoning-delta')).toBe(thoughts.join(''))
      for (const { id, arguments: text } of toolCallsOf(last.response)) {
        const pieces = events.map((event) =>
          event.type === 'tool-call-delta' && event.id === id ? event.delta : '',
        )
        expect(pieces.join('')).toBe(text)
      }
    },
  )

  it.each(named(streams.filter(({ events }) => events!.length < 40)))(
    '%s, cut at any event, is never complete',
    async (_name, { events }) => {
      const end = events!.findIndex(({ type }) => type === 'response.completed')
      for (let length = 0; length <= end; length++)
        await expect(streamed(events!.slice(0, length))).rejects.toMatchObject({
          code: 'incomplete-stream',
        })
    },
  )

  it.each(named(failures))('%s is an error of the provider', async (_name, { whole, events }) => {
    const asked = whole === undefined ? streamed(events!) : call(whole)
    const said: JsonObject = whole?.error ?? events!.find(({ type }) => type === 'error').error
    await expect(asked).rejects.toMatchObject({ name: 'ProviderError', provider: 'openai' })
    await expect(asked).rejects.toThrow((said['message'] as string).slice(0, 40))
  })

  it('are there: whole, streamed and failed', () => {
    expect(wholes.length).toBeGreaterThan(0)
    expect(streams.length).toBeGreaterThan(0)
    expect(failures.length).toBeGreaterThan(0)
  })
})
