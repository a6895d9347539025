/**
 * Sessions of clients of the older protocol over HTTP: they can be asked during a call, and can come back for what
 * they missed. An id is random and counts for the caller that got it; that of another is as unknown as one that never
 * was. Requests without a session are answered one by one.
 */
import type {
  McpHandlerRequestOptions,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { EventLog } from './event-log.ts'
import { rpcError } from './rpc-error.ts'
import type { Sdk } from './sdk.ts'
import { tellClient, type Change } from './subscriptions.ts'

export const SESSION_IDLE_MS = 3_600_000
/** How long a client waits before it comes back for what it missed. */
const RETRY_MS = 1000

interface Session {
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly principal: string
  usedAt: number
}

export interface SessionOptions {
  readonly sdk: Sdk
  readonly idleMs: number
  readonly most: number
  now(): number
  build(): Server
}

export interface SessionRequest extends McpHandlerRequestOptions {
  readonly principal: string
}

export class Sessions {
  readonly #sessions = new Map<string, Session>()
  readonly #options: SessionOptions
  readonly #stateless: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>

  constructor(options: SessionOptions) {
    this.#options = options
    this.#stateless = options.sdk.legacyStatelessFallback(() => options.build())
  }

  async handle(request: Request, given: SessionRequest): Promise<Response> {
    await this.#endIdle()
    const { principal, ...options } = given
    const id = request.headers.get('mcp-session-id')
    if (id !== null) {
      const session = this.#sessions.get(id)
      if (session?.principal !== principal)
        return rpcError(404, -32001, 'Session not found. Initialize again.')
      session.usedAt = this.#options.now()
      return session.transport.handleRequest(request, options)
    }
    if (!this.#options.sdk.isInitializeRequest(given.parsedBody))
      return this.#stateless(request, options)
    if (this.#sessions.size >= this.#options.most)
      return rpcError(503, -32603, 'Too many sessions are open. Try again later.')
    const transport = await this.#open(principal)
    return transport.handleRequest(request, options)
  }

  async tell(change: Change): Promise<void> {
    const telling = [...this.#sessions.values()].map(({ server }) => tellClient(server, change))
    await Promise.allSettled(telling)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)))
  }

  /** Counted from the first request on: an id that is not answered yet takes a place, too. */
  async #open(principal: string): Promise<WebStandardStreamableHTTPServerTransport> {
    const { sdk, build, now } = this.#options
    const id = crypto.randomUUID()
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: new EventLog(),
      retryInterval: RETRY_MS,
      onsessionclosed: () => this.#end(id),
    })
    const server = build()
    this.#sessions.set(id, { server, transport, principal, usedAt: now() })
    await server.connect(transport)
    return transport
  }

  async #endIdle(): Promise<void> {
    const oldest = this.#options.now() - this.#options.idleMs
    for (const [id, { usedAt }] of this.#sessions) if (usedAt < oldest) await this.#end(id)
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    await session?.server.close()
  }
}
