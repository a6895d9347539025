/**
 * The trace across processes: what goes out with a request of ours, and what comes in with a request of others. Both
 * go through whatever propagator the program has set.
 */
import {
  context,
  createContextKey,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
  type SpanContext,
} from '@opentelemetry/api'

/** By the names of W3C Trace Context and Baggage. */
export interface TraceCarrier {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
}

/**
 * The ambient span as headers, for a model's server, or for the `_meta` of MCP calls. Empty without an SDK.
 *
 * @example
 * const model = openai('gpt-5.4', { traceContext })
 * const tools = mcpTools({ url }, { traceContext })
 */
export function traceContext(): TraceCarrier {
  const carrier: { [name: string]: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier
}

/**
 * Runs something as part of the trace that a request came with. The span that is ambient here, e.g. that of the HTTP
 * request, is linked by the first span inside.
 *
 * @example
 * const server = serveTools(tools, { name: 'shop', version: '1', observer, inTrace: inTraceContext })
 */
export function inTraceContext<T>(carrier: TraceCarrier, run: () => T): T {
  const bringer = trace.getSpanContext(context.active())
  const theirs = propagation.extract(ROOT_CONTEXT, carrier)
  return context.with(bringer ? theirs.setValue(BRINGER, bringer) : theirs, run)
}

const BRINGER = createContextKey('toolwright: the span of the request that brought the trace')

/** The span to link. */
export const bringerOf = (outer: Context): SpanContext | undefined =>
  outer.getValue(BRINGER) as SpanContext | undefined

/** The context for what stands further inside, where it is not linked again. */
export const withoutBringer = (outer: Context): Context => outer.deleteValue(BRINGER)
