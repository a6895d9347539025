/** The headers that name the trace of a question, where a program wants them sent. As toolwright's own adapters do it. */

const NAMES = ['traceparent', 'tracestate', 'baggage'] as const

/** By the names of W3C Trace Context and Baggage. */
export type TraceHeaders = { readonly [name in (typeof NAMES)[number]]?: string }

/** A program that fails to say is not a reason to fail the question. */
export function traceHeaders(ask: () => TraceHeaders | undefined): Record<string, string> {
  try {
    const trace = ask() ?? {}
    const headers: Record<string, string> = {}
    for (const name of NAMES) {
      const value: unknown = trace[name]
      if (isSendable(value)) headers[name] = value
    }
    return headers
  } catch {
    return {}
  }
}

/** What no header can carry would fail the request. */
const isSendable = (value: unknown): value is string =>
  typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]+$/.test(value)
