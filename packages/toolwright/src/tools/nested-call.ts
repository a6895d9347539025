/** Calls that a running tool makes: what it asks, and what it gets. The contract of `toolRunOf(context).call`. */
import type { Json, JsonObject } from '../messages/json.ts'
import type { Label } from '../messages/message.ts'
import type { Durability } from '../ports/durability.ts'

/** A call that a tool makes while it runs. */
export interface NestedCall {
  /**
   * Names the call among those of this tool: a whole number from 0, used once. The call's id is
   * `<id of the tool's own call>/<index>`; it must mean the same call whenever the tool runs again after a suspension.
   */
  readonly index: number
  /** Of one of the tools that the tool declares as `composite.tools`. */
  readonly name: string
  /** JSON text, taken as a model's would be; or the object itself. */
  readonly arguments: string | JsonObject
  /** Where in a program the call stands, counted from 1: shown to whoever decides about it. */
  readonly line?: number
}

/**
 * Why a call has no result. `unknown-tool`: the tool is not among those declared. `invalid-arguments`: they do not fit.
 * `limit`: a limit of calls is met. `denied`: by the policy, or by whoever decided. `failed`: the tool threw. `timeout`:
 * it gave no result in time. `output`: its result does not fit its output schema, or could not be converted.
 */
export type NestedFailureCode =
  'unknown-tool' | 'invalid-arguments' | 'limit' | 'denied' | 'failed' | 'timeout' | 'output'

/** What has become of a call that a tool made. */
export type NestedOutcome =
  | {
      readonly ok: true
      /**
       * What a model would read of the result, uncut, as JSON text; never what the tool returned before conversion.
       * Absent: the tool gave nothing. What a converter of the tool's own gives is a JSON string or a list of parts; if
       * the tool declares an output schema and gives JSON text, it is that text.
       */
      readonly json?: string
      readonly label?: Label
      /** The arguments that it ran with, if whoever approved it changed them. */
      readonly edited?: Json
    }
  | {
      readonly ok: false
      readonly code: NestedFailureCode
      /** What a model would read. */
      readonly message: string
      readonly label?: Label
      /** The arguments that it ran with, if whoever approved it changed them. */
      readonly edited?: Json
    }
  /** It waits for a decision. It is one of the run's pending calls if the tool leaves by `suspend`, and is dropped if not. */
  | { readonly pending: true }

/** The part of a run that a tool reaches whose work is calls of other tools. */
export interface InsideRun {
  /** What the tool left with `suspend`; undefined where it runs for the first time. */
  readonly journal: Json | undefined
  /** It ran before: somebody has decided about one of its calls since. */
  readonly isAgain: boolean
  readonly isDurable: boolean
  readonly step: Durability['step']
  readonly onUnknownOutcome?: Durability['onUnknownOutcome']
  call(call: NestedCall): Promise<NestedOutcome>
  /** What `suspend` is to keep, as JSON. Throws where the tool must not leave. */
  leaving(journal: Json): Json
  /** What a run inside brought: the tool's response carries it, and so does the run from now on. */
  mark(label: Label): void
}
