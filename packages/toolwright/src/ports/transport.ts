/** The network as a port: one POST, one response. Adapters use nothing else. */
export interface TransportRequest {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  readonly signal?: AbortSignal
  /** How long connecting may take, in ms. Default: `idleTimeoutMs`. */
  readonly connectTimeoutMs?: number
  /** The longest silence, in ms, before the response starts. Default: `idleTimeoutMs`. */
  readonly firstByteTimeoutMs?: number
  /** The longest silence, in ms, between two pieces of the response. */
  readonly idleTimeoutMs: number
  /** The provider's name, for error messages. Default: the host of `url`. */
  readonly provider?: string
}

export interface TransportResponse {
  readonly status: number
  /** The value of a header; `name` is in lower case. */
  header(name: string): string | undefined
  /**
   * The body as it arrives. Leaving the iteration closes the connection; an abort rejects with the signal's
   * reason.
   */
  readonly body: AsyncIterable<Uint8Array>
}

/** Rejects with a `ProviderError` (`provider-unreachable`, `provider-timeout`) or with the signal's reason. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>
