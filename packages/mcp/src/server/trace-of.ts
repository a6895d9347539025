/** The trace that a request came with, where the program wants to go on with it. */
import type { TraceContext } from '../client/mcp-tools-options.ts'
import type { Peer } from './peer.ts'
import type { Serving } from './serving.ts'

/** Once, whatever the program's function does: what it throws is not the caller's fault. */
export function inTraceOf<T>(
  { options }: Serving,
  { context }: Peer,
  run: () => Promise<T>,
): Promise<T> {
  const { inTrace } = options
  if (!inTrace) return run()
  let running: Promise<T> | undefined
  const once = (): Promise<T> => (running ??= run())
  try {
    void Promise.resolve(inTrace(traceIn(context.mcpReq._meta), once)).catch(() => {})
  } catch {
    // The call runs all the same, in no trace.
  }
  return once()
}

const KEYS = ['traceparent', 'tracestate', 'baggage'] as const

function traceIn(meta: unknown): TraceContext {
  const given = Object(meta) as { readonly [key: string]: unknown }
  const texts = KEYS.filter((key) => typeof given[key] === 'string')
  return Object.fromEntries(texts.map((key) => [key, given[key]]))
}
