/** The headers that name the trace of a request, where a program wants them sent. */
import { IN_HEADER } from './in-header.ts'

const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage'] as const

/** By the names of W3C Trace Context and Baggage. */
export type TraceHeaders = { readonly [name in (typeof TRACE_HEADERS)[number]]?: string }

type Headers = { readonly [name: string]: string }

/** Asks for each request. A program that fails to say is not a reason to fail the request. */
export function withTrace(headers: Headers, ask: () => TraceHeaders | undefined): Headers {
  try {
    const trace = ask() ?? {}
    const sent = TRACE_HEADERS.filter((name) => {
      const value: unknown = trace[name]
      return typeof value === 'string' && value !== '' && IN_HEADER.test(value)
    })
    return { ...headers, ...Object.fromEntries(sent.map((name) => [name, trace[name]!])) }
  } catch {
    return headers
  }
}
