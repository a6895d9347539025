/** Serves a web handler on loopback by node:http, as a program would, and writes down what it sent. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'

export interface HttpServer {
  readonly url: string
  /** The text of every answer, in the order of the requests; those that are still sent grow. */
  readonly sent: readonly string[]
  /** Cuts every connection. */
  cut(): void
  close(): Promise<void>
}

export type WebHandler = (request: Request) => Promise<Response>

export async function serveHttp(handler: WebHandler): Promise<HttpServer> {
  const sent: string[] = []
  const server = createServer((request, response) => {
    const place = sent.push('') - 1
    const write = (text: string): void => void (sent[place] += text)
    // A browser that leaves is no fault.
    answer(handler, { request, response, write }).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    cut: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly write: (text: string) => void
}

async function answer(handler: WebHandler, { request, response, write }: Exchange): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const hasBody = method !== 'GET'
  const given = await handler(
    new Request(new URL(url, 'http://127.0.0.1'), {
      method,
      headers: request.headers as { [name: string]: string },
      ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' as const }),
    }),
  )
  response.writeHead(given.status, Object.fromEntries(given.headers))
  if (!given.body) return void response.end()
  const decoder = new TextDecoder()
  const body = Readable.fromWeb(given.body as NodeStream)
  body.on('data', (piece: Uint8Array) => write(decoder.decode(piece, { stream: true })))
  await pipeline(body, response)
}
