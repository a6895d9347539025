/**
 * Recorded traffic of real servers, where it is at hand: every Chat Completions recording is served
 * over HTTP, whole or as events, and must come back complete.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import { textOf, toolCallsOf } from '../../messages/reading.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import { openaiCompatible } from './index.ts'

const root = join(import.meta.dirname, '../../../../..')
const shared = process.env['TOOLWRIGHT_DATA'] ?? join(root, '../shared')
const data = [join(shared, 'data/wire'), join(shared, 'wire')].find(existsSync) ?? shared
const PROVIDERS = [
  'alibaba',
  'deepseek',
  'groq',
  'mistral',
  'moonshotai',
  'openai',
  'openai-compatible',
  'perplexity',
  'xai',
]

interface Recording {
  readonly name: string
  readonly whole?: any
  readonly chunks?: readonly any[]
}

function recordings(): readonly Recording[] {
  const folders = PROVIDERS.map((provider) => join(data, provider)).filter(existsSync)
  return folders
    .flatMap((folder) => readdirSync(folder).map((file) => readRecording(join(folder, file))))
    .filter(isChatCompletion)
}

function readRecording(path: string): Recording {
  const name = path.slice(data.length + 1)
  const text = readFileSync(path, 'utf8')
  if (path.endsWith('.json')) return { name, whole: JSON.parse(text) }
  return {
    name,
    chunks: text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line)),
  }
}

/** Other dialects lie in the same folders: Responses, and text completions without messages. */
function isChatCompletion({ whole, chunks }: Recording): boolean {
  const choices = (whole === undefined ? chunks! : [whole]).flatMap(
    (answer) => answer.choices ?? [],
  )
  return choices.some((choice: any) => choice.message !== undefined || choice.delta !== undefined)
}

const all = recordings()
/** With their names first: vitest shortens a field of an object, and `npm run test:wire` looks for whole names. */
const named = (isWanted: (recording: Recording) => boolean): readonly [string, Recording][] =>
  all.filter(isWanted).map((recording) => [recording.name, recording])
let server: Server
let body: { type: string; text: string }
let model: ChatModel

beforeAll(async () => {
  server = createServer((request, response) => {
    request
      .resume()
      .on('end', () => response.writeHead(200, { 'content-type': body.type }).end(body.text))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  model = openaiCompatible('any', { baseUrl: `http://127.0.0.1:${port}/v1`, retry: false })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const prompt = { messages: [{ role: 'user', content: 'Hi' }] } as const

async function streamed(
  chunks: readonly any[],
): Promise<{ events: ChatEvent[]; response: ChatResponse }> {
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  body = { type: 'text/event-stream', text: `${text}data: [DONE]\n\n` }
  const events: ChatEvent[] = []
  for await (const event of model.stream(prompt)) events.push(event)
  const last = events.at(-1)
  if (last?.type !== 'response') throw new Error('no response')
  return { events, response: last.response }
}

const joined = (parts: readonly unknown[]): string =>
  parts.filter((part) => typeof part === 'string').join('')

function expectUsage(response: ChatResponse, usage: any): void {
  expect(response.usage.inputTokens).toBe(usage?.prompt_tokens)
  expect(response.usage.outputTokens).toBe(usage?.completion_tokens)
  expect(response.usage.totalTokens).toBe(usage?.total_tokens)
  expect(response.usage.cacheReadTokens).toBe(usage?.prompt_tokens_details?.cached_tokens)
  expect(response.usage.reasoningTokens).toBe(usage?.completion_tokens_details?.reasoning_tokens)
}

function expectFinish(response: ChatResponse, raw: string): void {
  const [generation] = response.results
  expect(generation!.rawFinishReason ?? generation!.finishReason).toBe(raw)
  expect(generation!.finishReason).toBe(raw === 'tool_calls' ? 'tool-calls' : raw)
}

describe.skipIf(all.length === 0)('recorded Chat Completions', () => {
  it('are there, whole and streamed', () => {
    expect(all.some(({ whole }) => whole !== undefined)).toBe(true)
    expect(all.some(({ chunks }) => chunks !== undefined)).toBe(true)
  })

  it.each(named(({ whole }) => whole !== undefined))('%s', async (_name, { whole }) => {
    body = { type: 'application/json', text: JSON.stringify(whole) }
    const response = await model.call(prompt)
    const [{ message, finish_reason: raw }] = whole.choices
    expect(textOf(response)).toBe(message.content ?? '')
    const parts = response.results[0]!.message.content
    const reasoning =
      typeof parts === 'string' ? [] : parts.filter((part) => part.type === 'reasoning')
    expect(joined(reasoning.map((part) => part.text))).toBe(
      message.reasoning_content ?? message.reasoning ?? '',
    )
    expect(
      toolCallsOf(response).map((call) => ({
        id: call.id,
        name: call.name,
        arguments: call.arguments,
      })),
    ).toEqual((message.tool_calls ?? []).map((call: any) => ({ id: call.id, ...call.function })))
    expect(response).toMatchObject({ id: whole.id, model: whole.model })
    expectUsage(response, whole.usage)
    expectFinish(response, raw)
  })

  it.each(named(({ chunks }) => chunks !== undefined))('%s', async (_name, { chunks }) => {
    const { events, response } = await streamed(chunks!)
    const choices = chunks!.flatMap((chunk) => chunk.choices ?? [])
    const text = joined(choices.map((choice) => choice.delta?.content))
    expect(textOf(response)).toBe(text)
    expect(joined(events.map((event) => event.type === 'text-delta' && event.text))).toBe(text)
    const thoughts = joined(
      choices.map((choice) => choice.delta?.reasoning_content ?? choice.delta?.reasoning),
    )
    expect(joined(events.map((event) => event.type === 'reasoning-delta' && event.text))).toBe(
      thoughts,
    )
    // Every recording has at most one call, so its pieces simply follow each other.
    const pieces = choices.flatMap((choice) => choice.delta?.tool_calls ?? [])
    const calls = toolCallsOf(response)
    expect(calls).toHaveLength(pieces.length > 0 ? 1 : 0)
    if (pieces.length > 0) {
      expect(calls[0]).toMatchObject({ id: pieces[0].id, name: pieces[0].function.name })
      expect(calls[0]!.arguments).toBe(joined(pieces.map((piece: any) => piece.function.arguments)))
      expect(JSON.parse(calls[0]!.arguments)).toBeTypeOf('object')
    }
    expectUsage(response, chunks!.findLast((chunk) => chunk.usage)?.usage)
    expectFinish(response, choices.find((choice) => choice.finish_reason).finish_reason)
    expect(response.model).toBe(chunks!.find((chunk) => chunk.model).model)
  })

  it.each(named(({ chunks }) => chunks !== undefined && chunks.length < 12))(
    '%s, cut short, is never complete',
    async (_name, { chunks }) => {
      const finish = chunks!.findIndex((chunk) => chunk.choices?.[0]?.finish_reason)
      for (let length = 0; length <= finish; length++) {
        await expect(streamed(chunks!.slice(0, length))).rejects.toMatchObject({
          code: 'incomplete-stream',
        })
      }
    },
  )
})
