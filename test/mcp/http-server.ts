/** A server of the SDK at an address of this machine, for both protocols, that remembers what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createMcpHandler, Server, type ServerContext } from '@modelcontextprotocol/server'

export interface AskedRequest {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly body: {
    readonly id?: number
    readonly method?: string
    readonly params?: { readonly [key: string]: unknown }
  }
}

export interface HttpServerOptions {
  readonly tools?: readonly object[]
  readonly list?: (cursor: string | undefined) => object
  readonly call?: (
    params: { readonly name: string; readonly arguments?: { readonly [key: string]: unknown } },
    context: ServerContext,
  ) => object | Promise<object>
  readonly capabilities?: object
  /** Answers instead of the SDK when it returns true. */
  readonly intercept?: (asked: AskedRequest, response: ServerResponse) => boolean
}

export interface TestServer {
  readonly url: string
  readonly asked: readonly AskedRequest[]
  of(method: string): readonly AskedRequest[]
  toolsChanged(): void
  close(): Promise<void>
}

export const ECHO = {
  name: 'echo',
  description: 'Says it again',
  inputSchema: { type: 'object', properties: { words: { type: 'string' } } },
  annotations: { readOnlyHint: true },
}

export async function httpServer(options: HttpServerOptions = {}): Promise<TestServer> {
  const asked: AskedRequest[] = []
  const handler = createMcpHandler(() => sdkServer(options))
  const server = createServer((request, response) => void serve(request, response))
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const { method = 'GET', headers } = request
    const isJson = headers['content-type']?.startsWith('application/json') ?? false
    const body = (isJson ? JSON.parse(text) : {}) as AskedRequest['body']
    const one = { method, path: request.url!, headers, body }
    asked.push(one)
    if (options.intercept?.(one, response)) return
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const answer = await handler.fetch(
      new Request(`http://${headers.host}${request.url}`, {
        method,
        headers: headers as { [name: string]: string },
        ...(text && { body: text }),
        signal: gone.signal,
      }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body)
      Readable.fromWeb(answer.body as ReadableStream)
        .on('error', () => undefined)
        .pipe(response)
    else response.end()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    of: (method) => asked.filter(({ body }) => body.method === method),
    toolsChanged: () => void handler.notify.toolsChanged(),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await handler.close()
    },
  }
}

function sdkServer({ tools = [ECHO], list, call, capabilities }: HttpServerOptions): Server {
  const server = new Server(
    { name: 'tested', version: '1' },
    {
      capabilities: { tools: {}, ...capabilities },
      cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
    },
  )
  server.setRequestHandler(
    'tools/list',
    ({ params }) => (list?.(params?.cursor) ?? { tools }) as never,
  )
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    if (call) return (await call(params as never, context as never)) as never
    const { words } = (params.arguments ?? {}) as { readonly words?: string }
    return { content: [{ type: 'text', text: `${params.name}: ${words}` }] } as never
  })
  return server
}
