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
import { servedTools, type ToolsByName } from './tool-list.ts'

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
    if (await this.#sdk.isLegacyRequest(request, parsedBody)) {
      const options = { authInfo: authInfoOf(caller), parsedBody, principal: caller.id }
      return this.#sessions.handle(request, options)
    }
    const tools = await this.#calledTools(request, parsedBody)
    const wrong = tools && wrongHeaders(tools, parsedBody, request.headers)
    return wrong ?? this.#modern.fetch(request, { authInfo: authInfoOf(caller, tools), parsedBody })
  }

  /** The tools that a call chooses from, listed once for it; undefined for other requests. */
  #calledTools(request: Request, parsedBody: unknown): Promise<ToolsByName | undefined> {
    const { method } = Object(parsedBody) as JSONRPCRequest
    if (method !== 'tools/call') return Promise.resolve(undefined)
    const listing = listingOf(this.#serving, request.signal)
    // Sources that fail are the matter of the call itself.
    return servedTools(this.#serving.sources, listing).catch(() => undefined)
  }

  async tell(change: Change): Promise<void> {
    tellListeners(this.#modern, change)
    await this.#sessions.tell(change)
  }

  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#sessions.close()])
  }
}

/** The SDK checks the headers that all requests have, and leaves those of a tool to its server. */
function wrongHeaders(
  tools: ToolsByName,
  parsedBody: unknown,
  headers: Headers,
): Response | undefined {
  const { params, id } = Object(parsedBody) as JSONRPCRequest
  const { name, arguments: given } = Object(params) as { readonly [key: string]: unknown }
  const schema = tools.get(String(name))?.callback.definition.inputSchema
  const wrong = schema && headerMismatch(schema, given, headers)
  return wrong === undefined
    ? undefined
    : rpcFault(400, id, { code: HEADER_MISMATCH, message: wrong })
}

/**
 * The way of the caller, and of what is listed already, to the handlers. The token stays here: nothing that a tool sees
 * can pass it on.
 */
const authInfoOf = (principal: Principal, tools?: ToolsByName): AuthInfo => ({
  token: '',
  clientId: principal.id,
  scopes: [...(principal.scopes ?? [])],
  extra: { principal, tools },
})
