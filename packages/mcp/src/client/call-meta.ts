/** The `_meta` of a call: what the program allows to be sent besides the arguments. */
import type { ToolContext } from 'toolwright'
import type { McpToolsOptions } from './mcp-tools-options.ts'

const TRACE_KEYS = ['traceparent', 'tracestate', 'baggage'] as const

export function callMeta(
  context: ToolContext,
  { context: keys = [], traceContext }: McpToolsOptions,
): { readonly [key: string]: unknown } {
  const trace = traceContext?.() ?? {}
  const traced = TRACE_KEYS.filter((key) => typeof trace[key] === 'string')
  const shared = keys.filter((key) => context.values[key] !== undefined)
  return {
    ...Object.fromEntries(traced.map((key) => [key, trace[key]])),
    ...(context.idempotencyKey && { 'toolwright/idempotency-key': context.idempotencyKey }),
    ...(shared.length > 0 && {
      'toolwright/context': Object.fromEntries(shared.map((key) => [key, context.values[key]])),
    }),
  }
}
