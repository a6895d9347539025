/**
 * Signing in by OAuth, on top of the SDK's: where the program can say what the browser came back with, the rest is done
 * here, and what was refused is asked again.
 */
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { McpError } from 'toolwright'
import type { McpAuth, McpServer } from './mcp-tools-options.ts'

const WEB = /^https?:$/
/** How often one request may lead to signing in: a server that refuses every token is not obeyed without end. */
export const MOST_SIGN_INS = 2

/** Undefined if the server needs none, or has a token or a way of its own. */
export function signInFor(server: McpServer): SignIn | undefined {
  const auth = 'url' in server ? server.auth : undefined
  const isOAuth = typeof auth === 'object' && 'redirectToAuthorization' in auth
  return isOAuth ? new SignIn(auth) : undefined
}

export class SignIn {
  /** For the transport: the program's own, but nothing is opened that is no web address. */
  readonly provider: OAuthClientProvider
  readonly #auth: McpAuth
  #state: string | null = null
  #discovery: OAuthDiscoveryState | undefined
  #finishing: Promise<void> | undefined

  constructor(auth: McpAuth) {
    this.#auth = auth
    this.provider = guarded(auth, {
      redirectToAuthorization: (url: URL) => this.#open(url),
      ...(auth.authorizationResponse && this.#ownParts()),
    })
  }

  /** Whether what was thrown is the server's wish that a person signs in, and the program can do that by itself. */
  canAnswer(thrown: unknown): boolean {
    const { name } = Object(thrown) as { readonly name?: unknown }
    return name === 'UnauthorizedError' && typeof this.#auth.authorizationResponse === 'function'
  }

  /** Waits for the browser and gets tokens. Requests that were refused at the same time share one way through it. */
  finish(transport: StreamableHTTPClientTransport): Promise<void> {
    this.#finishing ??= this.#finish(transport).finally(() => (this.#finishing = undefined))
    return this.#finishing
  }

  async #finish(transport: StreamableHTTPClientTransport): Promise<void> {
    const params = searchParamsOf(await this.#auth.authorizationResponse!())
    if (this.#state !== null && params.get('state') !== this.#state)
      throw new McpError(
        'mcp-unauthorized',
        'The answer to signing in does not belong to the question: its state is another.',
      )
    await transport.finishAuth(params)
    // Where to sign in is asked anew next time: it may have moved.
    this.#discovery = undefined
    await this.#auth.invalidateCredentials?.('discovery')
  }

  /**
   * Where the whole way is gone here, nothing of it is left out: an answer is held against its question, and the place that
   * gives the tokens against the one that the person was sent to.
   */
  #ownParts(): object {
    const { state, discoveryState } = this.#auth
    return {
      ...(!state && { state: () => crypto.randomUUID() }),
      ...(!discoveryState && {
        discoveryState: () => this.#discovery,
        saveDiscoveryState: (found: OAuthDiscoveryState) => void (this.#discovery = found),
      }),
    }
  }

  /** The address comes from the server. One that is no web address may start a program. */
  #open(url: URL): void | Promise<void> {
    if (!WEB.test(url.protocol))
      throw new McpError(
        'mcp-unauthorized',
        `The server asks to sign in at a ${url.protocol} address, which is not opened.`,
      )
    this.#state = url.searchParams.get('state')
    return this.#auth.redirectToAuthorization(url)
  }
}

/** The program's provider, but for these methods. */
const guarded = (auth: McpAuth, own: object): OAuthClientProvider =>
  new Proxy(auth, {
    get(target, key) {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key) as unknown
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })

const searchParamsOf = (response: URL | URLSearchParams): URLSearchParams =>
  response instanceof URL ? response.searchParams : response
