import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ProviderError } from '../../errors/errors.ts'
import type { Transport, TransportRequest, TransportResponse } from '../../ports/transport.ts'
import { defaultTransport } from './default-transport.ts'
import { fetchTransport } from './fetch-transport.ts'
import { nodeTransport } from './node-transport.ts'

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => unknown

let server: Server
let answer: Answer
/** Those that carried a request; fetch opens more than it uses. */
let sockets: Set<Socket>
let connections: number

beforeEach(async () => {
  sockets = new Set()
  connections = 0
  server = createServer((request, response) => {
    const { socket } = request
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => answer(response, request, body))
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const port = (): number => (server.address() as AddressInfo).port

function ask(
  transport: Transport,
  more: Partial<TransportRequest> = {},
): Promise<TransportResponse> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer secret' }
  const url = more.url ?? `http://127.0.0.1:${port()}/v1/x?y=1`
  return transport({ url, headers, body: '{"a":"ä"}', idleTimeoutMs: 5_000, ...more })
}

async function text(response: TransportResponse): Promise<string> {
  const decoder = new TextDecoder()
  let all = ''
  for await (const chunk of response.body) all += decoder.decode(chunk, { stream: true })
  return all
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await pause(2)
}

async function failure(work: Promise<unknown>): Promise<ProviderError> {
  const thrown: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(thrown).toBeInstanceOf(ProviderError)
  return thrown as ProviderError
}

/** What a busy machine did not get done in time. */
class TooSlow extends Error {}

/** Tries with more and more time: a busy machine needs longer, and what is broken fails each time. */
async function givenTime(attempt: (ms: number) => Promise<void>): Promise<void> {
  for (let ms = 50; ms < 10_000; ms *= 4) {
    try {
      return await attempt(ms)
    } catch (error) {
      if (!(error instanceof TooSlow) && !isTimeout(error)) throw error
    }
  }
  return attempt(10_000)
}

const isTimeout = (error: unknown): boolean =>
  error instanceof ProviderError && error.code === 'provider-timeout'

/** How many listeners a signal has now, and had at most. */
function counted(signal: AbortSignal): { now: number; most: number } {
  const count = { now: 0, most: 0 }
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...all: Parameters<typeof add>) => {
    count.most = Math.max(count.most, ++count.now)
    add(...all)
  }
  signal.removeEventListener = (...all: Parameters<typeof remove>) => {
    count.now--
    remove(...all)
  }
  return count
}

describe.each([
  ['nodeTransport', nodeTransport!],
  ['fetchTransport', fetchTransport()],
] as const)('%s', (_name, transport) => {
  it('posts the body and gives status, headers and body back', async () => {
    let got: unknown
    answer = (response, { method, url, headers }, body) => {
      got = {
        method,
        url,
        body,
        type: headers['content-type'],
        key: headers.authorization,
        length: headers['content-length'],
      }
      response.writeHead(418, { 'X-Thing': 'yes' }).end('tëa')
    }
    const response = await ask(transport)
    expect(response.status).toBe(418)
    expect(response.header('x-thing')).toBe('yes')
    expect(response.header('x-other')).toBeUndefined()
    expect(await text(response)).toBe('tëa')
    const sent = { method: 'POST', url: '/v1/x?y=1', body: '{"a":"ä"}', type: 'application/json' }
    expect(got).toEqual({ ...sent, key: 'Bearer secret', length: '10' })
  })

  it.each([10, 16_000, 200_000])(
    'posts a body of %i letters of two bytes whole',
    async (length) => {
      let announced: string | undefined
      answer = (response, request, body) => {
        announced = request.headers['content-length']
        response.end(body)
      }
      const body = JSON.stringify('ä'.repeat(length))
      expect(await text(await ask(transport, { body }))).toBe(body)
      expect(announced).toBe(String(2 * length + 2))
    },
  )

  it('hands chunks over as they come', async () => {
    let step = (): void => {}
    answer = (response) => {
      response.write('one')
      step = () => response.end('two')
    }
    const chunks = (await ask(transport)).body[Symbol.asyncIterator]()
    expect(new TextDecoder().decode((await chunks.next()).value as Uint8Array)).toBe('one')
    step()
    expect(new TextDecoder().decode((await chunks.next()).value as Uint8Array)).toBe('two')
    expect(await chunks.next()).toEqual({ done: true, value: undefined })
  })

  it('says when nobody listens, without the path or the key', async () => {
    const url = `http://127.0.0.1:${port()}/v1?key=abcdefgh`
    await new Promise((resolve) => server.close(resolve))
    const error = await failure(ask(transport, { url, provider: 'acme' }))
    expect(error).toMatchObject({ code: 'provider-unreachable', retryable: true, provider: 'acme' })
    expect(error.message).toContain('ECONNREFUSED')
    expect(error.message).not.toMatch(/abcdefgh|secret/)
  })

  it('says when the connection breaks before the answer', async () => {
    answer = (response) => response.socket!.destroy()
    const error = await failure(ask(transport))
    expect(error).toMatchObject({ code: 'provider-unreachable', retryable: true })
  })

  it.each(['reset', 'close'])(
    'says when the connection breaks inside the answer (%s)',
    async (how) => {
      answer = (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('some')
        setTimeout(
          () => (how === 'reset' ? response.socket!.resetAndDestroy() : response.socket!.destroy()),
          10,
        )
      }
      const response = await ask(transport)
      const error = await failure(text(response))
      expect(error).toMatchObject({ code: 'provider-unreachable', retryable: true })
    },
  )

  it('stops waiting for an answer that does not start', async () => {
    answer = () => {}
    const error = await failure(ask(transport, { idleTimeoutMs: 40 }))
    expect(error).toMatchObject({ code: 'provider-timeout', retryable: true })
    await until(() => sockets.size === 0)
  })

  it('stops waiting for an answer that does not go on', async () => {
    answer = (response) => response.write('some')
    await givenTime(async (idleTimeoutMs) => {
      const response = await ask(transport, { idleTimeoutMs })
      const error = await failure(text(response))
      expect(error).toMatchObject({ code: 'provider-timeout', retryable: true })
      await until(() => sockets.size === 0)
    })
  })

  it('does not blame the provider for a slow reader', async () => {
    answer = (response) => response.end('x'.repeat(3_000_000))
    await givenTime(async (idleTimeoutMs) => {
      const response = await ask(transport, { idleTimeoutMs })
      let length = 0
      for await (const chunk of response.body) {
        if (length === 0) await pause(3 * idleTimeoutMs)
        length += chunk.length
      }
      expect(length).toBe(3_000_000)
    })
  })

  it('watches again after a slow reader has caught up', async () => {
    answer = (response) => response.write('x'.repeat(3_000_000))
    await givenTime(async (idleTimeoutMs) => {
      const response = await ask(transport, { idleTimeoutMs })
      let length = 0
      const reading = (async () => {
        for await (const chunk of response.body) {
          if (length === 0) await pause(3 * idleTimeoutMs)
          length += chunk.length
        }
      })()
      expect(await failure(reading)).toMatchObject({ code: 'provider-timeout' })
      if (length < 3_000_000) throw new TooSlow(`Only ${length} bytes came.`)
    })
  })

  it('lets the provider wait for a reader that stopped reading', async () => {
    let written = 0
    answer = (response) => {
      const more = (): void => {
        while (written < 50_000_000 && !response.destroyed) {
          written += 100_000
          if (!response.write('x'.repeat(100_000))) return void response.once('drain', more)
        }
      }
      more()
    }
    const chunks = (await ask(transport)).body[Symbol.asyncIterator]()
    await chunks.next()
    await pause(150)
    expect(written).toBeLessThan(30_000_000)
    await chunks.return!()
  })

  it('closes the connection when the reader leaves', async () => {
    answer = (response) => response.write('some')
    for await (const _chunk of (await ask(transport)).body) break
    await until(() => sockets.size === 0)
  })

  it('rejects with the reason of an abort, at any point', async () => {
    const reason = new Error('enough')
    await expect(ask(transport, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)

    const before = new AbortController()
    answer = () => before.abort(reason)
    await expect(ask(transport, { signal: before.signal })).rejects.toBe(reason)

    const inside = new AbortController()
    answer = (response) => response.write('some')
    const response = await ask(transport, { signal: inside.signal })
    const chunks = response.body[Symbol.asyncIterator]()
    await chunks.next()
    const waiting = chunks.next()
    inside.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await until(() => sockets.size === 0)
  })

  it('gives nothing more after an abort, also of what had already arrived', async () => {
    const controller = new AbortController()
    let step = (): void => {}
    answer = (response) => {
      response.write('one')
      step = () => response.write('two')
    }
    const response = await ask(transport, { signal: controller.signal })
    const chunks = response.body[Symbol.asyncIterator]()
    await chunks.next()
    step()
    await pause(30)
    controller.abort('enough')
    await expect(chunks.next()).rejects.toBe('enough')
  })

  it('leaves nothing on a signal that many requests share', async () => {
    const warnings: string[] = []
    const note = (warning: Error): void => void warnings.push(warning.name)
    process.on('warning', note)
    answer = (response) => response.end('ok')
    const { signal } = new AbortController()
    const listeners = counted(signal)
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        Array.from({ length: 50 }, async () => text(await ask(transport, { signal }))),
      )
    }
    await pause(5)
    process.off('warning', note)
    expect(listeners).toEqual({ now: 0, most: 1 })
    expect(warnings).toEqual([])
  })

  it('does not follow a redirect', async () => {
    const seen: (string | undefined)[] = []
    answer = (response, request) => {
      seen.push(request.url)
      response.writeHead(307, { location: `http://localhost:${port()}/other` }).end()
    }
    const response = await ask(transport)
    expect(response.status).toBe(307)
    await text(response)
    expect(seen).toEqual(['/v1/x?y=1'])
  })

  it('unpacks what came packed although plain was asked for', async () => {
    answer = (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'))
    expect(await text(await ask(transport))).toBe('plain')
  })

  it('waits for the start of an answer and inside it as long as each is allowed', async () => {
    answer = () => {}
    const start = { firstByteTimeoutMs: 40, idleTimeoutMs: 600_000 }
    const error = await failure(ask(transport, start))
    expect(error).toMatchObject({ code: 'provider-timeout' })
    expect(error.message).toContain('40 ms before the answer')

    answer = (response) => response.write('some')
    await givenTime(async (idleTimeoutMs) => {
      const response = await ask(transport, { firstByteTimeoutMs: 600_000, idleTimeoutMs })
      const inside = await failure(text(response))
      expect(inside.message).toContain(`${idleTimeoutMs} ms inside the answer`)
    })

    // Longer than the silence that is allowed inside.
    answer = (response) => void setTimeout(() => response.end('late'), 200)
    for (let used = 0; used < 2; used++) {
      const late = await ask(transport, { firstByteTimeoutMs: 600_000, idleTimeoutMs: 100 })
      expect(late.status).toBe(200)
      await text(late)
    }
  })

  it('does not unpack more than is read', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    let length = 0
    for await (const chunk of (await ask(transport)).body)
      if ((length += chunk.length) > 1_000_000) break
    expect(length).toBeLessThan(10_000_000)
  })

  it('says when a packed answer is broken', async () => {
    answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed')
    const error = await failure(ask(transport).then(text))
    expect(error.code).toBe('provider-unreachable')
  })
})

describe('nodeTransport', () => {
  it('uses a connection again', async () => {
    answer = (response) => response.end('ok')
    for (let i = 0; i < 5; i++) await text(await ask(nodeTransport!))
    expect(connections).toBe(1)
  })

  it('uses as many connections as there are questions at a time, and again', async () => {
    answer = (response, _request, body) => void setTimeout(() => response.end(body), 20)
    const bodies = ['1', '2', '3', '4']
    for (let round = 0; round < 3; round++) {
      const asked = bodies.map(async (body) => text(await ask(nodeTransport!, { body })))
      expect(await Promise.all(asked)).toEqual(bodies)
    }
    expect(connections).toBe(4)
  })

  it('waits as long on a used connection as on a new one, however short the server keeps idle ones', async () => {
    // The server says `Keep-Alive: timeout=2`, and Node then gives idle sockets one second.
    server.keepAliveTimeout = 2000
    answer = (response) => response.end('first')
    await text(await ask(nodeTransport!))
    answer = (response) => void setTimeout(() => response.end('late'), 1300)
    expect(await text(await ask(nodeTransport!))).toBe('late')
    expect(connections).toBe(1)
  })

  it('asks once more when the server had closed an idle connection', async () => {
    let asked = 0
    answer = (response) => {
      asked++
      // The second request on a connection finds it dead, as after a server's idle timeout.
      if (asked === 2) response.socket!.resetAndDestroy()
      else response.end(`answer ${asked}`)
    }
    await text(await ask(nodeTransport!))
    expect(await text(await ask(nodeTransport!))).toBe('answer 3')
    expect(connections).toBe(2)
  })

  it('does not ask a third time', async () => {
    answer = (response) => response.end('ok')
    await text(await ask(nodeTransport!))
    let asked = 0
    answer = (response) => {
      asked++
      response.socket!.resetAndDestroy()
    }
    expect(await failure(ask(nodeTransport!))).toMatchObject({ code: 'provider-unreachable' })
    expect(asked).toBe(2)
  })

  it('keeps the connection when the reader leaves a complete body', async () => {
    answer = (response) => response.end('x'.repeat(20_000))
    await givenTime(async (ms) => {
      await text(await ask(nodeTransport!))
      const before = connections
      const chunks = (await ask(nodeTransport!)).body[Symbol.asyncIterator]()
      await chunks.next()
      await pause(ms)
      await chunks.return!()
      await text(await ask(nodeTransport!))
      if (connections !== before) throw new TooSlow('The body had not come when the reader left.')
    })
  })

  it('takes a body as complete, whatever comes after it', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': '2' }).write('ok')
      response.socket!.write('{"more": "than was announced"}')
    }
    expect(await text(await ask(nodeTransport!))).toBe('ok')
    answer = (response) => response.end('again')
    expect(await text(await ask(nodeTransport!))).toBe('again')
  })

  const packed: Record<string, (text: string) => Uint8Array> = {
    gzip: gzipSync,
    GZIP: gzipSync,
    'x-gzip': gzipSync,
    deflate: deflateSync,
    'Deflate, identity': deflateSync,
    'x-deflate': deflateRawSync,
    'deflate ': deflateRawSync,
    br: brotliCompressSync,
    'gzip, br': (plain) => brotliCompressSync(gzipSync(plain)),
    '': (plain) => Buffer.from(plain),
  }
  it.each(Object.keys(packed))(
    'reads an answer that came as "%s", in pieces too',
    async (encoding) => {
      const words = 'größer als 東京 🎉 '.repeat(2000)
      const bytes = packed[encoding]!(words)
      answer = (response) => {
        response.writeHead(200, { 'content-encoding': encoding })
        for (let at = 0; at < bytes.length; at += 97) response.write(bytes.subarray(at, at + 97))
        response.end()
      }
      expect(await text(await ask(nodeTransport!))).toBe(words)
      answer = (response) => response.writeHead(200, { 'content-encoding': encoding }).end()
      expect(await text(await ask(nodeTransport!))).toBe('')
    },
  )

  it('does not unpack more of brotli than is read, and says when it is none', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(50_000_000))
    answer = (response) => response.writeHead(200, { 'content-encoding': 'br' }).end(bomb)
    let length = 0
    for await (const chunk of (await ask(nodeTransport!)).body)
      if ((length += chunk.length) > 1_000_000) break
    expect(length).toBeLessThan(10_000_000)
    answer = (response) => response.writeHead(200, { 'content-encoding': 'br' }).end('not packed')
    const error = await failure(ask(nodeTransport!).then(text))
    expect(error.code).toBe('provider-unreachable')
  })

  it('does not wait for ever for a connection, and says that there was none', async () => {
    // Takes the connection and never speaks TLS.
    const silent = createTcpServer((socket) => void socket.on('error', () => {}))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`
    const error = await failure(
      ask(nodeTransport!, { url, connectTimeoutMs: 40, idleTimeoutMs: 600_000 }),
    )
    // Nothing was asked yet, so another try does no harm.
    expect(error).toMatchObject({ code: 'provider-unreachable', retryable: true })
    expect(error.message).toContain('no connection within 40 ms')
    silent.close()
  })

  it('names an encoding that nobody can read', async () => {
    answer = (response) => response.writeHead(200, { 'content-encoding': 'snappy' }).end('x')
    expect((await failure(ask(nodeTransport!).then(text))).message).toContain('"snappy"')
  })
})

describe('defaultTransport', () => {
  it('goes over node:http here', async () => {
    const agents: (string | undefined)[] = []
    answer = (response, request) => {
      agents.push(request.headers['user-agent'])
      response.end('ok')
    }
    await text(await ask(defaultTransport()))
    expect(agents).toEqual(['toolwright'])
  })

  it('sends a header once, however its name is written, and what the address says', async () => {
    const sent: [string[], string][] = []
    answer = (response, { rawHeaders }, body) => {
      sent.push([rawHeaders, body])
      response.end('ok')
    }
    const url = `http://me:pass%20word@127.0.0.1:${port()}/v1`
    const headers = { 'User-Agent': 'mine', 'x-a': '1' }
    for (const body of ['ä', 'ä'.repeat(20_000)])
      await text(await ask(nodeTransport!, { url, headers, body }))
    const basic = `Basic ${Buffer.from('me:pass word').toString('base64')}`
    const expected = ['127.0.0.1', 'identity', 'mine', basic, '1']
    for (const [raw, body] of sent) {
      const names = raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
      expect(new Set(names).size).toBe(names.length)
      const valueOf = (name: string): string | undefined => raw[names.indexOf(name) * 2 + 1]
      const values = ['host', 'accept-encoding', 'user-agent', 'authorization', 'x-a'].map(valueOf)
      expect(values).toEqual([`${expected[0]}:${port()}`, ...expected.slice(1)])
      expect(valueOf('content-length')).toBe(String(Buffer.byteLength(body)))
    }
    expect(sent.map(([, body]) => body.length)).toEqual([1, 20_000])
  })
})
