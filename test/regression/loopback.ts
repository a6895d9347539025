/** A server on the loopback that answers as a test says, and models of both dialects that ask it. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import type { ChatModel, Clock, ModelCapabilities, Transport } from 'toolwright'
import { anthropic } from 'toolwright/anthropic'
import { openaiCompatible } from 'toolwright/openai'

export type Mode = 'call' | 'stream'
export type DialectName = 'openai-compatible' | 'anthropic'

export interface ModelOptions {
  readonly clock?: Clock
  readonly transport?: Transport
  readonly capabilities?: ModelCapabilities
}

export interface Loopback {
  /** How the next request is answered, and every one after it. */
  answer: (response: ServerResponse, request: { readonly body: string }) => void
  model(dialect: DialectName, more?: ModelOptions): ChatModel
}

export function loopback(): Loopback {
  let server: Server
  const world: Loopback = {
    answer: (response) => void response.end(),
    model(dialect, more = {}) {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
      // Long: a test that waits for it fails by its own timeout.
      const options = { ...more, baseUrl, retry: false, idleTimeoutMs: 600_000 }
      return dialect === 'anthropic'
        ? anthropic('claude-x', { ...options, apiKey: 'k' })
        : openaiCompatible('m', options)
    },
  }
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
      request.on('end', () => world.answer(response, { body }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return world
}

export const sse = (...records: readonly unknown[]): string =>
  records
    .map((record) => `data: ${typeof record === 'string' ? record : JSON.stringify(record)}\n\n`)
    .join('')

/** An answer of one text, or of what else is given, as the dialect sends it. */
export const WIRE: Record<
  DialectName,
  { whole(text: string): string; events(text: string): readonly unknown[]; readonly end: unknown }
> = {
  'openai-compatible': {
    whole: (content) =>
      JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }], usage: {} }),
    events: (content) => [
      { id: 'x', choices: [{ index: 0, delta: { content } }] },
      { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ],
    end: '[DONE]',
  },
  anthropic: {
    whole: (text) =>
      JSON.stringify({ content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: {} }),
    events: (text) => [
      { type: 'message_start', message: { id: 'm', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    ],
    end: { type: 'message_stop' },
  },
}
