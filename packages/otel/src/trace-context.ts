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
import { ATTRIBUTE } from './names.ts'

/** By the names of W3C Trace Context and Baggage. */
export interface TraceCarrier {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
}

/**
 * The ambient span as headers, for a model's server or any other. Empty without an SDK.
 *
 * @example
 * const model = openai('gpt-5.4', { traceContext })
 */
export function traceContext(): TraceCarrier {
  const carrier: { [name: string]: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier
}

/**
 * The same for the `_meta` of an MCP call. A call of a remote tool has one span, that of the tool: it is marked as a
 * call through MCP, and no second one is made.
 *
 * @example
 * const tools = mcpTools({ url }, { traceContext: mcpTraceContext })
 */
export function mcpTraceContext(): TraceCarrier {
  trace.getActiveSpan()?.setAttribute(ATTRIBUTE.mcpMethod, 'tools/call')
  return traceContext()
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

/** The span to link, and the context for what stands further inside, where it is not linked again. */
export function withoutBringer(outer: Context): {
  readonly bringer?: SpanContext
  readonly inner: Context
} {
  const bringer = outer.getValue(BRINGER) as SpanContext | undefined
  return bringer ? { bringer, inner: outer.deleteValue(BRINGER) } : { inner: outer }
}
