/** The server: on 127.0.0.1 and nowhere else, every request through the gate, every answer with its headers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigurationError } from 'toolwright'
import { toRefusal, type Warn } from './answer-error.ts'
import { checkAddress, checkSite, checkToken, isToken } from './gate.ts'
import { jsonText } from './json-text.ts'
import { LOCKED_PAGE, type PageFiles } from './page-files.ts'
import { readJson, readText } from './read-body.ts'
import { Refusal } from './refusal.ts'
import { findRoute, type Asked, type Route } from './route.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import { sendEvents } from './send-events.ts'

export interface HttpServerOptions {
  readonly port: number
  readonly token: string
  readonly routes: readonly Route[]
  readonly page: PageFiles
  readonly warn: Warn
  /** How often a stream of events says that it is still there. */
  readonly heartbeatMs: number
  /** How long a body may take to arrive. */
  readonly bodyMs: number
}

const JSON_BYTES = 1024 * 1024
const TEXT_BYTES = 64 * 1024 * 1024
/** Streams of events at once. */
const MOST_STREAMS = 100

export class HttpServer {
  readonly #options: HttpServerOptions
  readonly #server: Server
  #streams = 0

  private constructor(options: HttpServerOptions) {
    this.#options = options
    this.#server = createServer((request, response) => void this.#handle(request, response))
    this.#server.headersTimeout = 10_000
    this.#server.keepAliveTimeout = 5_000
    this.#server.maxHeadersCount = 100
  }

  /** Rejects if the port is taken. */
  static async listen(options: HttpServerOptions): Promise<HttpServer> {
    const http = new HttpServer(options)
    const server = http.#server
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause: NodeJS.ErrnoException) => reject(unheard(options.port, cause)))
      server.listen({ port: options.port, host: '127.0.0.1' }, resolve)
    })
    server.on('error', (error) => options.warn(`The server failed: ${error.message}`))
    return http
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  /** Never rejects. */
  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A page that leaves in the middle is no error.
    request.on('error', () => {})
    response.on('error', () => {})
    try {
      checkAddress(request, this.port)
      const [path = '', search = ''] = (request.url ?? '').split('?', 2)
      const query = new URLSearchParams(search)
      if (path.startsWith('/api/')) await this.#answerApi(request, response, { path, query })
      else await this.#answerPage(request, response, { path, query })
    } catch (thrown) {
      const refusal = toRefusal(thrown, this.#options.warn)
      if (response.headersSent) return void response.destroy()
      // What was not read of the body is not waited for.
      if (!request.complete) response.setHeader('connection', 'close')
      send(response, refusal.status, { type: JSON_TYPE, content: jsonText(refusal.body) })
    }
  }

  async #answerApi(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: Address,
  ): Promise<void> {
    checkSite(request)
    checkToken(request, this.#options.token)
    const found = findRoute(this.#options.routes, request.method ?? '', path)
    if (found === undefined)
      throw new Refusal(404, 'not-found', {
        message: 'There is nothing here. Load the page again.',
      })
    if (found === 'other') throw otherMethod()
    const answer = await found.route.answer(this.#asked(request, found.id, query))
    if ('events' in answer) {
      if (this.#streams >= MOST_STREAMS) throw tooManyStreams()
      this.#streams++
      try {
        await sendEvents(response, answer.events, this.#options.heartbeatMs)
      } finally {
        this.#streams--
      }
      return
    }
    const content = answer.json === undefined ? undefined : jsonText(answer.json)
    send(response, answer.status, content === undefined ? undefined : { type: JSON_TYPE, content })
  }

  async #answerPage(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: Address,
  ): Promise<void> {
    const { page, token } = this.#options
    if (request.method !== 'GET') throw otherMethod()
    if (path === '/' && !isToken(query.get('token'), token))
      return send(response, 401, { type: 'text/html; charset=utf-8', content: LOCKED_PAGE })
    const file = await page.read(path)
    if (!file) throw new Refusal(404, 'not-found', { message: 'There is no such file.' })
    send(response, 200, file)
  }

  #asked(request: IncomingMessage, id: string, query: URLSearchParams): Asked {
    const timeoutMs = this.#options.bodyMs
    const types = ['application/json']
    const json = { maxBytes: JSON_BYTES, types, timeoutMs }
    const text = { maxBytes: TEXT_BYTES, types: [...types, 'text/plain'], timeoutMs }
    return {
      request,
      id,
      query,
      json: async <Body>(schema: object) => (await readJson(request, schema, json)) as Body,
      text: () => readText(request, text),
    }
  }
}

interface Address {
  readonly path: string
  readonly query: URLSearchParams
}

const JSON_TYPE = 'application/json; charset=utf-8'

interface Sent {
  readonly type: string
  readonly content: string | Uint8Array
}

function send(response: ServerResponse, status: number, sent: Sent | undefined): void {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    ...(sent && { 'content-type': sent.type }),
  })
  response.end(sent?.content)
}

const otherMethod = (): Refusal =>
  new Refusal(405, 'wrong-method', { message: 'This address is not asked like that.' })

const tooManyStreams = (): Refusal =>
  new Refusal(503, 'too-many', {
    message: `${MOST_STREAMS} streams of events are open. Close some of the pages.`,
  })

function unheard(port: number, cause: NodeJS.ErrnoException): ConfigurationError {
  const why =
    cause.code === 'EADDRINUSE'
      ? `The port ${port} is taken.`
      : `The playground cannot listen on port ${port}: ${cause.message}.`
  return new ConfigurationError('invalid-option', why, { cause })
}
