/** A web handler on a port of this machine. Bun, Deno and `@hono/node-server` have this; here it needs no package. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { Served } from './visit.ts'

export async function onLoopback(
  answer: (request: IncomingMessage) => Promise<Response>,
): Promise<Served> {
  const server = createServer((request, response) => {
    // When the connection closes the pipe ends the stream: somebody has left, which is no fault.
    answer(request)
      .then((given) => send(given, response))
      .catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers))
  if (!body) return void response.end()
  await pipeline(Readable.fromWeb(body as NodeStream), response)
}

/** The same request as the web has it. */
export function toWebRequest(request: IncomingMessage): Request {
  const { method = 'GET', url = '/' } = request
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers: request.headers as { [name: string]: string },
    ...(method !== 'GET' && {
      body: Readable.toWeb(request) as ReadableStream,
      duplex: 'half' as const,
    }),
  })
}
