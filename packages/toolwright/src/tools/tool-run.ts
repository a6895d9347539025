/**
 * The run around a tool that is a way to something else: another client, a remote server, other tools. Such a tool asks
 * in the name of what it leads to, keeps what it needs to go on, and tells the run's readers what they should know.
 */
import { ConfigurationError } from '../errors/errors.ts'
import type { NoticeCode } from '../errors/notices.ts'
import { NONE } from '../internal/nothing.ts'
import type { Json } from '../messages/json.ts'
import type { ObservedFacts } from '../messages/observed-facts.ts'
import { runContextOf } from './default-tool-context.ts'
import type { NestedCall, NestedOutcome } from './nested-call.ts'
import type { ToolContext } from './tool-context.ts'

export interface ToolRun {
  /** What was answered to this call's questions so far, in the order of asking. */
  readonly answers: readonly Json[]
  /** What `ask` kept with the question that the last of them was given to. */
  readonly kept?: Json | undefined
  /**
   * Leaves the tool and asks, like `context.suspend`; the answer is in `answers` when the tool runs again. `kept`
   * stays in the signed state, byte for byte: those who decide are shown the question only.
   */
  ask(question: Json, kept?: Json): never
  /** Tells readers of the run, as a `notice` event. */
  notice(code: NoticeCode, message: string, data?: Json): void
  /** Says how the tool does its work, to those who observe its call. Absent: nobody does. */
  readonly facts?: ((facts: ObservedFacts) => void) | undefined
  /** What the tool left with `suspend` when its run was suspended. Undefined where it runs for the first time. */
  readonly journal: Json | undefined
  /**
   * Whether the run is replayed after a crash. Then a composite tool must make the same calls in the same order each time it
   * runs: what decides about them besides its input, its journal and their outcomes belongs into `step`.
   */
  readonly isDurable: boolean
  /**
   * A durable step of this call: `work` runs once, its result, which is JSON, is recorded, and a replay gets the record.
   * A key is used once each time the tool runs. In a run that is not durable, and in a tool that is not composite,
   * `work` just runs.
   */
  step<T>(key: string, work: () => Promise<T>): Promise<T>
  /**
   * Calls one of the tools that this tool declares as `composite.tools`. The call takes the walk of a model's calls, in the
   * same batch: it is checked, permitted, counted against the limits of the run, waits for locks, rates and one of the
   * `limits.parallel` places, and is told to readers and observers. Calls are prepared in the order in which they are made.
   *
   * Resolves whatever becomes of the call. It rejects if the call cannot be made here (`nested-call`), if the run was
   * aborted, and with what ends the run: such an end cannot be caught.
   */
  call(call: NestedCall): Promise<NestedOutcome>
  /**
   * Leaves the tool until somebody has decided about the calls that wait: they become pending calls of the run. When at
   * least one is decided the tool runs again from its start, with `journal`; by then a call of the same index is what was
   * decided, or still `pending`. Every other call that is made again runs again, so `journal` should have its outcome.
   * Throws if no call waits, or one still runs.
   */
  suspend(journal: Json): never
}

/**
 * The run that a tool's context belongs to. A callback that is called by hand has none: nothing was answered,
 * nobody hears its notices, and it can make no calls.
 *
 * @example
 * const { answers, kept, ask } = toolRunOf(context)
 * if (answers.length === 0) ask({ message: 'Which floor?' }, { ticket: 7 })
 * return order(kept, answers.at(-1))
 */
export function toolRunOf(context: ToolContext): ToolRun {
  const own = runContextOf(context)
  const outer = own?.outer
  const inside = outer?.inside
  return {
    answers: outer?.answers ?? NONE,
    kept: outer?.kept,
    ask: (question, kept) => (own ? own.leaveWith(question, kept) : (context.suspend(question) as never)), // prettier-ignore
    notice: (code, message, data) => own?.notice(code, message, data),
    journal: inside?.journal,
    isDurable: inside?.isDurable ?? false,
    step: (key, work) => (inside ? inside.step(key, work) : work()),
    call(call) {
      // A tool that caught that it is suspended does nothing more.
      if (own?.suspended) return refused(own.suspended)
      return inside ? inside.call(call) : refused(notInside(context))
    },
    suspend(journal) {
      if (!inside) throw notInside(context)
      return own!.leaveInside(inside.leaving(journal))
    },
    facts: outer?.facts,
  }
}

/** Heard here too: a tool that does not wait for its call must not cost the process. */
export function refused(reason: unknown): Promise<never> {
  const rejected = Promise.reject<never>(reason as Error)
  rejected.catch(() => {})
  return rejected
}

function notInside(context: ToolContext): ConfigurationError {
  const { toolName } = context
  const error = new ConfigurationError(
    'nested-call',
    `Tool "${toolName}" makes a call, but it is not composite, or it was called by hand.`,
  )
  runContextOf(context)?.notice('nested-misuse', error.message, { error: error.code })
  return error
}
