/**
 * The web-standard handler: checks where a request comes from and who sends it, then leads it to the protocol that it
 * speaks. The newer one has no sessions: each request gets a server of its own.
 */
import type { AuthInfo, JSONRPCRequest, McpHttpHandler } from '@modelcontextprotocol/server'
import { authenticate, isMetadataPath, metadataResponse } from './authenticate.ts'
import { buildServer } from './build-server.ts'
import { misplaced, type AllowedPlaces } from './check-request.ts'
import { headerMismatch } from './param-headers.ts'
import { readBody } from './read-body.ts'
import { HEADER_MISMATCH } from './refusal.ts'
import { rpcError, rpcFault } from './rpc-error.ts'
import { loadSdk, type Sdk } from './sdk.ts'
import type { Principal } from './serve-tools-options.ts'
import { listingOf, type Serving } from './serving.ts'
import { SESSION_IDLE_MS, Sessions } from './sessions.ts'
import { tellListeners, type Change } from './subscriptions.ts'
import { servedTools } from './tool-list.ts'

export class HttpHandler {
  readonly #serving: Serving
  readonly #sdk: Sdk
  readonly #modern: McpHttpHandler
  readonly #sessions: Sessions

  static async load(serving: Serving): Promise<HttpHandler> {
    return new HttpHandler(serving, await loadSdk())
  }

  private constructor(serving: Serving, sdk: Sdk) {
    const { options, now } = serving
    this.#serving = serving
    this.#sdk = sdk
    this.#modern = sdk.createMcpHandler(() => buildServer(sdk, serving, 'modern'), {
      legacy: 'reject',
    })
    this.#sessions = new Sessions({
      sdk,
      idleMs: options.sessionIdleMs ?? SESSION_IDLE_MS,
      most: options.maxSessions ?? 1000,
      now,
      build: () => buildServer(sdk, serving, 'legacy'),
    })
  }

  async handle(request: Request, places: AllowedPlaces): Promise<Response> {
    const { auth, maxBodyBytes } = this.#serving.options
    const { pathname, host } = new URL(request.url)
    const { headers } = request
    const wrong = misplaced(places, headers.get('host') ?? host, headers.get('origin'))
    if (wrong !== undefined) return rpcError(403, -32600, wrong)
    if (isMetadataPath(pathname)) return metadataResponse(auth, request)
    const caller = await authenticate(this.#serving, request)
    if (caller instanceof Response) return caller
    if (request.method !== 'POST') return this.#lead(request, caller, undefined)
    const body = await readBody(this.#sdk, request, maxBodyBytes)
    return body instanceof Response ? body : this.#lead(request, caller, body.json)
  }

  async #lead(request: Request, caller: Principal, parsedBody: unknown): Promise<Response> {
    const options = { authInfo: authInfoOf(caller), parsedBody }
    if (await this.#sdk.isLegacyRequest(request, parsedBody))
      return this.#sessions.handle(request, { ...options, principal: caller.id })
    const wrong = await this.#wrongHeaders(request, parsedBody)
    return wrong ?? this.#modern.fetch(request, options)
  }

  /** The SDK checks the headers that all requests have, and leaves those of a tool to its server. */
  async #wrongHeaders(request: Request, parsedBody: unknown): Promise<Response | undefined> {
    const { method, params, id } = Object(parsedBody) as JSONRPCRequest
    const { name, arguments: given } = Object(params) as { readonly [key: string]: unknown }
    if (method !== 'tools/call' || typeof name !== 'string') return undefined
    const listing = listingOf(this.#serving, request.signal)
    // Sources that fail are the matter of the call itself.
    const tools = await servedTools(this.#serving.sources, listing).catch(() => undefined)
    const schema = tools?.get(name)?.callback.definition.inputSchema
    const wrong = schema && headerMismatch(schema, given, request.headers)
    if (wrong === undefined) return undefined
    return rpcFault(400, id, { code: HEADER_MISMATCH, message: wrong })
  }

  async tell(change: Change): Promise<void> {
    tellListeners(this.#modern, change)
    await this.#sessions.tell(change)
  }

  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#sessions.close()])
  }
}

/** The way of the caller to the handlers. The token stays here: nothing that a tool sees can pass it on. */
const authInfoOf = (principal: Principal): AuthInfo => ({
  token: '',
  clientId: principal.id,
  scopes: [...(principal.scopes ?? [])],
  extra: { principal },
})
