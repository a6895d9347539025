/** Answers over HTTP that do not end within bounds: the call fails, its connection is closed, and the next call works. */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { mcpTools } from '@toolwright/mcp'
import { httpServer, type AskedRequest } from './http-server.ts'
import { ask } from './servers.ts'

const MEGABYTE = 1024 * 1024
const JSON_TYPE = { 'content-type': 'application/json' }
const EVENTS_TYPE = { 'content-type': 'text/event-stream' }
const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close()
})

const messageOf = (id: unknown, text: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    result: { resultType: 'complete', content: [{ type: 'text', text }] },
  })

/** Writes megabytes until the other side has had enough; gives how many there were. */
async function writeWithoutEnd(response: ServerResponse, start: string): Promise<number> {
  const megabyte = 'x'.repeat(MEGABYTE)
  let written = 0
  response.write(start)
  const closed = new Promise((resolve) => response.once('close', resolve))
  while (!response.destroyed && written < 1_000) {
    written++
    if (!response.write(megabyte))
      await Promise.race([closed, new Promise((resolve) => response.once('drain', resolve))])
  }
  return written
}

/** Calls a tool whose first answer is written by `answer`, then a second time. */
async function calledTwice(
  answer: (response: ServerResponse, asked: AskedRequest) => unknown,
): Promise<{ readonly first: unknown; readonly second: unknown }> {
  let calls = 0
  const server = await httpServer({
    intercept: (asked, response) => {
      if (asked.body.method !== 'tools/call' || ++calls > 1) return false
      answer(response, asked)
      return true
    },
  })
  closing.push(server)
  const tools = mcpTools({ url: server.url }, { name: 'web', timeoutMs: 60_000 })
  closing.push(tools)
  const echo = { name: 'echo', arguments: { words: 'hi' } }
  const limits = { resultBytes: 'unlimited' as const }
  const [first] = (await ask(tools, [echo], { limits })).told
  const [second] = (await ask(tools, [echo], { limits })).told
  return { first, second }
}

const refused = { isError: true, content: expect.stringMatching(/more than 33554432 bytes/) }
/** Of a stream the SDK does not say why it ended. */
const cut = { isError: true, content: expect.stringMatching(/nothing says whether it ran/) }
const works = { content: 'echo: hi' }

test.each([
  { name: 'JSON', headers: JSON_TYPE, before: '', expected: refused },
  { name: 'an event', headers: EVENTS_TYPE, before: 'event: message\ndata: ', expected: cut },
])('$name without an end', async ({ headers, before, expected }) => {
  let written: Promise<number> | undefined
  const { first, second } = await calledTwice((response) => {
    response.writeHead(200, headers)
    written = writeWithoutEnd(response, `${before}{"jsonrpc":"2.0","result":"`)
  })
  expect(first).toMatchObject(expected)
  expect(second).toMatchObject(works)
  // What the sockets of both sides hold comes on top of the limit.
  expect(await written!).toBeLessThan(100)
})

test('an answer that announces its 40 megabytes', async () => {
  const { first, second } = await calledTwice((response, { body }) => {
    const text = messageOf(body.id, 'x'.repeat(40 * MEGABYTE))
    response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(text) })
    response.end(text)
  })
  expect(first).toMatchObject(refused)
  expect(second).toMatchObject(works)
})

test('40 megabytes in a few compressed kilobytes, as JSON and as an event', async () => {
  for (const isEvent of [false, true]) {
    const { first, second } = await calledTwice((response, { body }) => {
      const text = messageOf(body.id, 'x'.repeat(40 * MEGABYTE))
      const packed = gzipSync(isEvent ? `data: ${text}\n\n` : text)
      response.writeHead(200, {
        ...(isEvent ? EVENTS_TYPE : JSON_TYPE),
        'content-encoding': 'gzip',
        'content-length': packed.length,
      })
      response.end(packed)
    })
    expect(first).toMatchObject(isEvent ? cut : refused)
    expect(second).toMatchObject(works)
  }
})

test('a stream may have more in all than one of its events, and answers within bounds are read', async () => {
  const progress = `data: ${JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: 'x'.repeat(4 * MEGABYTE) },
  })}\r\n\r\n`
  const long = 'y'.repeat(4 * MEGABYTE)
  const streamed = await calledTwice((response, { body }) => {
    response.writeHead(200, EVENTS_TYPE)
    for (let each = 0; each < 10; each++) response.write(progress)
    response.end(`data: ${messageOf(body.id, long)}\n\n`)
  })
  expect((streamed.first as { readonly content: string }).content).toBe(long)
  for (const headers of [JSON_TYPE, { ...JSON_TYPE, 'content-length': '' }]) {
    const { first } = await calledTwice((response, { body }) => {
      const text = messageOf(body.id, long)
      const length = Buffer.byteLength(text)
      response.writeHead(
        200,
        'content-length' in headers ? { ...headers, 'content-length': length } : headers,
      )
      response.end(text)
    })
    expect((first as { readonly content: string }).content).toBe(long)
  }
})
