/** The network as a port: one POST, one answer. Adapters use nothing else. */
export interface TransportRequest {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  readonly signal?: AbortSignal
  /** Longest silence, in ms, before the answer starts and between two pieces of it. */
  readonly idleTimeoutMs: number
  /** Who is asked, for the words of errors. Default: the host of `url`. */
  readonly provider?: string
}

export interface TransportResponse {
  readonly status: number
  /** Header value, name in lower case. */
  header(name: string): string | undefined
  /** The body as it arrives. Leaving the iteration closes the connection; an abort rejects with the signal's reason. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Rejects with a `ProviderError` (`provider-unreachable`, `provider-timeout`) or with the signal's reason. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>
