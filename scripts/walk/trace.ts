/**
 * What a walk passes, in order: the functions it enters, and the points that it names itself. Bundled with
 * the marked sources, so that both write to one trace.
 */
export type Step =
  | { readonly kind: 'point'; readonly name: string }
  /** `depth`: lines of the stack, awaiting callers included. */
  | { readonly kind: 'function'; readonly id: number; readonly depth: number }

let trace: Step[] | undefined

/** Every marked function calls this first. */
export function enter(id: number): void {
  trace?.push({ kind: 'function', id, depth: depthOfStack() })
}

/** Names the place that the walk has reached. */
export function point(name: string): void {
  trace?.push({ kind: 'point', name })
}

/** What is passed while `run` runs. */
export async function traceOf(run: () => Promise<void>): Promise<readonly Step[]> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = Infinity
  const steps: Step[] = (trace = [])
  try {
    await run()
    return steps
  } finally {
    trace = undefined
    Error.stackTraceLimit = stackTraceLimit
  }
}

const depthOfStack = (): number => (new Error().stack ?? '').split('\n').length
