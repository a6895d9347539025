/**
 * Real answers, served over HTTP and read through the front door, then sent back as a provider would
 * demand. The recordings are not part of the project: without them these tests are skipped.
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
import { anthropic } from './index.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const data = process.env['TOOLWRIGHT_DATA'] ?? join(root, '../shared')
const folder = [join(data, 'data/wire/anthropic'), join(data, 'wire/anthropic')].find(existsSync)
const files = folder === undefined ? [] : readdirSync(folder).sort()
const SPLICED = 'spliced-message-start.chunks.txt'
const wholes = files.filter((file) => file.endsWith('.json'))
const streams = files.filter((file) => file.endsWith('.chunks.txt') && file !== SPLICED)

type Block = JsonObject & { readonly type: string }
interface Recorded extends JsonObject {
  readonly content: readonly Block[]
  readonly usage: JsonObject
}

const readText = (file: string): string => readFileSync(join(folder!, file), 'utf8')
const readWhole = (file: string): Recorded => JSON.parse(readText(file)) as Recorded
const readStream = (file: string): readonly JsonObject[] =>
  readText(file)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as JsonObject)

const toSse = (events: readonly JsonObject[]): string =>
  events
    .map((event) => `event: ${event['type'] as string}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')

/** What the API would have sent in one piece: written apart from the adapter, to check it. */
function wholeOf(recorded: readonly JsonObject[]): Recorded {
  // One recording goes on with the answer to the next question; a stream ends with its message.
  const events = recorded.slice(
    0,
    recorded.findIndex(({ type }) => type === 'message_stop'),
  )
  const of = (type: string): readonly JsonObject[] =>
    events.filter((event) => event['type'] === type)
  const message = of('message_start')[0]!['message'] as Recorded
  const { delta, usage, type: _type, ...extra } = of('message_delta').at(-1)!
  const content = of('content_block_start').map((event) => {
    const deltas = of('content_block_delta')
      .filter((other) => other['index'] === event['index'])
      .map((other) => other['delta'] as JsonObject)
    return blockOf(event['content_block'] as Block, deltas)
  })
  const counts = { ...message.usage, ...(usage as JsonObject) }
  return { ...message, ...(delta as JsonObject), ...extra, content, usage: counts }
}

function blockOf(started: Block, deltas: readonly JsonObject[]): Block {
  const all = (field: string): Json[] =>
    deltas.filter((delta) => field in delta).map((delta) => delta[field]!)
  const block: { [field: string]: Json } = { ...started }
  for (const field of ['text', 'thinking', 'signature', 'content']) {
    const pieces = all(field)
    if (pieces.length > 0) block[field] = String(started[field] ?? '') + pieces.join('')
  }
  const input = all('partial_json').join('')
  if (input !== '') block['input'] = JSON.parse(input) as Json
  const citations = all('citation')
  if (citations.length > 0) block['citations'] = citations
  return block as Block
}

/** The part says all that the block says. */
function expectSame(part: AssistantPart, block: Block): void {
  const { type, ...fields } = block
  if (type === 'text') {
    const extra = part.providerOptions?.['anthropic'] ?? {}
    expect({ text: part.type === 'text' && part.text, ...extra }).toEqual(fields)
  } else if (type === 'thinking' || type === 'redacted_thinking') {
    expect(part).toEqual({ type: 'reasoning', text: block['thinking'] ?? '', providerData: block })
  } else if (type === 'tool_use') {
    const { input, caller, ...named } = fields
    expect(part).toMatchObject({ type: 'tool-call', ...named })
    expect(part.type === 'tool-call' && JSON.parse(part.arguments)).toEqual(input)
    if (caller !== undefined) expect(part).toMatchObject({ providerData: { caller } })
  } else {
    expect(part).toEqual({ type: 'provider', kind: type, data: block })
  }
}

/** Without what may differ between a call and a stream: spaces in the JSON of arguments. */
function unspaced(response: ChatResponse): unknown {
  return JSON.parse(JSON.stringify(response), (key, value: unknown) =>
    key === 'arguments' ? JSON.stringify(JSON.parse(value as string)) : value,
  )
}

describe.skipIf(files.length === 0)('recorded answers', () => {
  let server: Server
  let model: ChatModel
  let answer: { type: string; body: string }
  let sent: { messages: { role: string; content: Block[] }[] }

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      sent = JSON.parse(body) as typeof sent
      response.writeHead(200, { 'content-type': answer.type }).end(answer.body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    model = anthropic('claude-test', { apiKey: 'test-key', baseUrl, retry: false })
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
  const stream = async (
    events: readonly JsonObject[],
    seen: ChatEvent[] = [],
  ): Promise<ChatEvent[]> => {
    answer = { type: 'text/event-stream', body: toSse(events) }
    for await (const event of model.stream({ messages })) seen.push(event)
    return seen
  }

  function expectAnswer(response: ChatResponse, recorded: Recorded): void {
    const [generation] = response.results
    const parts = generation!.message.content as readonly AssistantPart[]
    expect(parts).toHaveLength(recorded.content.length)
    for (const [index, block] of recorded.content.entries()) expectSame(parts[index]!, block)
    expect(generation!.rawFinishReason).toBe(recorded['stop_reason'])
    expect(response).toMatchObject({ id: recorded['id'], model: recorded['model'] })
    expect(response.usage).toMatchObject({
      inputTokens: recorded.usage['input_tokens'],
      outputTokens: recorded.usage['output_tokens'],
    })
    for (const field of ['container', 'context_management', 'stop_details']) {
      if (recorded[field]) expect(response.metadata[field]).toEqual(recorded[field])
    }
  }

  /** Asks again with the answer in the history, and looks at what is sent. */
  async function expectSentBack(response: ChatResponse, recorded: Recorded): Promise<void> {
    const { message } = response.results[0]!
    const responses = toolCallsOf(message).map(({ id, name }) => ({ id, name, content: 'done' }))
    answer = { type: 'application/json', body: JSON.stringify({ content: [] }) }
    await model.call({ messages: [...messages, message, { role: 'tool', responses }] })
    const expected = recorded.content.filter(
      (block) => block.type !== 'text' || (block['text'] as string).trim() !== '',
    )
    const blocks = sent.messages.find(({ role }) => role === 'assistant')?.content ?? []
    expect(blocks).toEqual(expected)
    for (const [index, block] of expected.entries()) {
      // Text and calls are ours to spell; all else must be the same to the byte.
      if (block.type === 'text' || block.type === 'tool_use') continue
      expect(JSON.stringify(blocks[index])).toBe(JSON.stringify(block))
    }
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
      const recorded = wholeOf(readStream(file))
      const events = await stream(readStream(file))
      const last = events.at(-1)!
      if (last.type !== 'response') throw new Error('The last event is no response.')
      expectAnswer(last.response, recorded)
      expect(unspaced(last.response)).toEqual(unspaced(await call(JSON.stringify(recorded))))
      await expectSentBack(last.response, recorded)
    },
  )

  it.each(streams)('%s tells its parts and deltas in order', async (file) => {
    const events = await stream(readStream(file))
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
  })

  it('that exist in both forms are the same in both', async () => {
    let both = 0
    for (const file of wholes) {
      const other = file.replace(/\.json$/, '.chunks.txt')
      if (!streams.includes(other)) continue
      const whole = await call(readText(file))
      const last = (await stream(readStream(other))).at(-1)!
      // Most pairs are two different answers to one question.
      if (last.type !== 'response' || last.response.id !== whole.id) continue
      expect(last.response.results).toEqual(whole.results)
      both++
    }
    expect(both).toBeGreaterThan(0)
  })

  it.skipIf(!files.includes(SPLICED))(
    `${SPLICED} has another message inside: it rejects, and completes no call`,
    async () => {
      const seen: ChatEvent[] = []
      await expect(stream(readStream(SPLICED), seen)).rejects.toMatchObject({
        code: 'invalid-response',
      })
      expect(seen.map((event) => event.type)).not.toContain('tool-call')
      expect(seen.map((event) => event.type)).not.toContain('response')
    },
  )
})
