/**
 * A provider for the tests of one adapter: a server on loopback that answers every request with the reply it was
 * given last. It lives as long as the tests of the file that makes it.
 */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { ChatEvent, ChatModel, Prompt, Transport } from 'toolwright'

export interface Reply {
  readonly status?: number
  /** Default: the type of a stream. */
  readonly type?: string
  readonly headers?: { readonly [name: string]: string }
  readonly chunks: readonly (string | Uint8Array)[]
  /** How the connection ends: properly, broken, or not at all. */
  readonly end?: 'reset' | 'hold'
}

export interface ReplyServer {
  reply: Reply
  /** Of the test that runs. */
  requests: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }[]
  /** Settles when the connection of the last request is closed. */
  closed: Promise<unknown>
  /** Known once the tests run. */
  origin: string
}

/** @param streamType the content type of a stream in the provider's format */
export function replyServer(streamType = 'text/event-stream'): ReplyServer {
  const state: ReplyServer = {
    reply: { chunks: [] },
    requests: [],
    closed: Promise.resolve(),
    origin: '',
  }
  const server = createServer(async (request, response) => {
    state.closed = once(response, 'close')
    let body = ''
    for await (const chunk of request) body += String(chunk)
    state.requests.push({ url: request.url!, headers: request.headers, body })
    const { status = 200, type = streamType, headers, chunks, end } = state.reply
    response.writeHead(status, { 'content-type': type, ...headers })
    for (const chunk of chunks) response.write(chunk)
    if (end === undefined) response.end()
    if (end !== 'reset') return
    await nextTurn()
    response.socket!.resetAndDestroy()
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    state.requests = []
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return state
}

/** A network that hands over exactly these chunks, where a real one may put them together. */
function transportOf(chunks: readonly Uint8Array[]): Transport {
  return async () => ({ status: 200, header: () => undefined, body: inTurn(chunks) })
}

async function* inTurn(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield chunk
}

export interface ReadStream {
  readonly events: ChatEvent[]
  readonly thrown?: unknown
}

/** Reads a stream to its end or failure; the events before a failure are part of what is tested. */
export async function readStream(model: ChatModel, prompt: Prompt): Promise<ReadStream> {
  const events: ChatEvent[] = []
  try {
    for await (const event of model.stream(prompt)) events.push(event)
    return { events }
  } catch (thrown) {
    return { events, thrown }
  }
}

/** Cuts a stream at every byte, and once at all of them, and reads what comes each time. */
export async function* readInPieces(
  bytes: Uint8Array,
  read: (transport: Transport) => Promise<ReadStream>,
): AsyncGenerator<readonly [cut: string, read: ReadStream]> {
  for (let at = 1; at < bytes.length; at++) {
    const halves = [bytes.subarray(0, at), bytes.subarray(at)]
    yield [`cut at ${at}`, await read(transportOf(halves))]
  }
  yield [
    'cut everywhere',
    await read(transportOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))),
  ]
}
