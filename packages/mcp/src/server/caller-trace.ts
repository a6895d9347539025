/** The trace that a call belongs to, as its client says: what a program's own tracing goes on with. */
import type { TraceContext } from '../client/mcp-tools-options.ts'
import type { Peer } from './peer.ts'
import type { ServeToolsOptions } from './serve-tools-options.ts'

/** What each may look like, by the recommendations of the W3C. Nothing else of `_meta` is passed on. */
const FORMS = {
  traceparent: /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/,
  tracestate: /^[\x20-\x7e]{1,512}$/,
  baggage: /^[\x20-\x7e]{1,8192}$/,
}

/**
 * Runs the work inside of what `inTrace` makes of the client's trace; as it is if there is none. It runs once, whatever
 * the program's function does: what that throws is not the caller's fault.
 */
export function inCallersTrace<Result>(
  { inTrace }: ServeToolsOptions,
  { context }: Peer,
  work: () => Promise<Result>,
): Promise<Result> {
  const trace = inTrace && traceIn(context.mcpReq._meta)
  if (!trace) return work()
  let running: Promise<Result> | undefined
  const once = (): Promise<Result> => (running ??= work())
  try {
    void Promise.resolve(inTrace(trace, once)).catch(() => undefined)
  } catch {
    // The call runs all the same, in no trace.
  }
  return once()
}

function traceIn(meta: object | undefined): TraceContext | undefined {
  const given = Object.entries(FORMS).flatMap(([key, form]) => {
    const value = (meta as { readonly [key: string]: unknown } | undefined)?.[key]
    return typeof value === 'string' && form.test(value) ? [[key, value] as const] : []
  })
  return given.length > 0 ? Object.fromEntries(given) : undefined
}
