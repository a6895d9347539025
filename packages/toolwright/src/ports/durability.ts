/**
 * The port through which every model call, tool call and advisor I/O goes. The default only runs them. A
 * durable implementation records each result under its key, and returns the recorded results after a crash.
 */
export interface Durability {
  /** Runs `run` once per key. The result must be JSON. A failure of `run` is not recorded. */
  step<T>(key: string, run: () => Promise<T>): Promise<T>
  /** Waits until someone outside answers for this key. */
  wait?(key: string): Promise<unknown>
}

export const runDirectly: Durability = { step: (_key, run) => run() }

/** The same steps under keys that start with `scope`. Steps that just run need no keys. */
export function scopedStep(step: Durability['step'], scope: string): Durability['step'] {
  return step === runDirectly.step ? step : (key, run) => step(`${scope}/${key}`, run)
}
