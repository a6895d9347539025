/** What a provider calls a request in its own logs: its support asks for it. */
import type { TransportResponse } from '../../ports/transport.ts'

const HEADERS = ['x-request-id', 'request-id', 'x-goog-request-id', 'x-amzn-requestid', 'cf-ray']

export function requestIdOf(response: Pick<TransportResponse, 'header'>): string | undefined {
  for (const name of HEADERS) {
    const id = response.header(name)?.trim()
    // Anybody may have written it; what is no plain word is no id.
    if (id !== undefined && /^[\w.:/+=-]{1,200}$/.test(id)) return id
  }
  return undefined
}
