/** A person at a browser, as far as signing in needs one: keeps what the SDK wants kept, visits, and comes back. */
import {
  DpopSession,
  type OAuthClientInformationMixed,
  type OAuthDiscoveryState,
  type OAuthTokens,
} from '@modelcontextprotocol/client'
import type { McpAuth } from '@toolwright/mcp'

/** All scenarios run at once, and sockets that idle are reset: such a request was not read. */
export const patientFetch: typeof fetch = async (input, init) => {
  try {
    return await fetch(input, init)
  } catch (thrown) {
    const { cause } = thrown as { readonly cause?: { readonly code?: string } }
    if (cause?.code !== 'ECONNRESET') throw thrown
    return fetch(input, init)
  }
}

const CALLBACK = 'http://localhost:3000/callback'

export class Browser implements McpAuth {
  readonly redirectUrl = CALLBACK
  readonly clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'
  readonly clientMetadata = {
    client_name: 'toolwright',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
  /** Binds tokens to a key, where it is wanted. */
  readonly dpop?: () => Promise<DpopSession>
  readonly #registered = new Map<string, OAuthClientInformationMixed>()
  readonly #preRegistered: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''
  #discovery: OAuthDiscoveryState | undefined
  #cameBackTo: URL | undefined

  constructor({
    preRegistered,
    bindsTokens,
  }: {
    readonly preRegistered?: OAuthClientInformationMixed
    readonly bindsTokens: boolean
  }) {
    this.#preRegistered = preRegistered
    const session = bindsTokens ? DpopSession.create() : undefined
    if (session) this.dpop = () => session
  }

  clientInformation(about?: { readonly issuer?: string }): OAuthClientInformationMixed | undefined {
    return this.#preRegistered ?? this.#registered.get(about?.issuer ?? '')
  }

  saveClientInformation(
    client: OAuthClientInformationMixed,
    about?: { readonly issuer?: string },
  ): void {
    this.#registered.set(about?.issuer ?? '', client)
  }

  tokens(): OAuthTokens | undefined {
    return this.#tokens
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens
  }

  codeVerifier(): string {
    return this.#verifier
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'tokens') this.#tokens = undefined
    if (scope === 'all' || scope === 'client') this.#registered.clear()
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const { headers } = await patientFetch(url, { redirect: 'manual' })
    this.#cameBackTo = new URL(headers.get('location')!)
  }

  authorizationResponse(): Promise<URL> {
    return Promise.resolve(this.#cameBackTo!)
  }
}
