/**
 * The port through which every model call, tool call, advisor I/O and use of a state goes. The default only runs
 * them. A durable implementation records each result under its key, and returns the recorded results when the run
 * is replayed after a crash.
 */
import type { Json } from '../messages/json.ts'

/** The tool call that a step runs. An implementation needs it to keep effects from happening twice. */
export interface ToolStep {
  readonly toolName: string
  readonly callId: string
  /** What running the tool again would do. */
  readonly effect: 'read' | 'idempotent' | 'keyed' | 'once'
  /** The checked input, as JSON. */
  readonly input: Json
  /** The tool can undo what it did. Then the step's result has what the tool returned, as JSON, under `value`. */
  readonly isUndoable: boolean
}

export interface Durability {
  /**
   * Runs `run` once per key, and gives what it gave: at once the first time, from the record at every replay. The
   * result must be JSON. What `run` throws, the step throws.
   *
   * Steps may run side by side. They are started in the same order at every replay, so an implementation that
   * numbers them by the order of their starting may do so, if it takes the number before it first waits.
   *
   * With `tool`, the step runs that call. If an earlier life of the run began it and nobody knows how it ended, and
   * its effect must not happen twice, the implementation does not run it: it throws a `DurabilityError` with code
   * `unknown-outcome`.
   */
  step<T>(key: string, run: () => Promise<T>, tool?: ToolStep): Promise<T>
  /** Waits until someone outside answers for this key. */
  wait?(key: string): Promise<unknown>
  /** Names a run that starts now: the same name at every replay. Default, or undefined: a new id of `ids`. */
  runId?(): string | undefined | Promise<string | undefined>
  /**
   * What becomes of a call whose outcome is unknown. `ask` (default): it waits for somebody to decide. `fail`: the
   * run rejects. `tell-model`: the model reads that nobody knows.
   */
  readonly onUnknownOutcome?: OnUnknownOutcome
}

export type OnUnknownOutcome = 'ask' | 'fail' | 'tell-model'

export const runDirectly: Durability = { step: (_key, run) => run() }

/** The same steps under keys that start with `scope`. Steps that just run need no keys. */
export function scopedStep(step: Durability['step'], scope: string): Durability['step'] {
  return step === runDirectly.step ? step : (key, run, tool) => step(`${scope}/${key}`, run, tool)
}
