/**
 * The run around a tool that is a way to something else: another client, a remote server. Such a tool asks in the name
 * of what it leads to, keeps what it needs to go on, and tells the run's readers what they should know.
 */
import type { NoticeCode } from '../errors/notices.ts'
import { NONE } from '../internal/nothing.ts'
import type { Json } from '../messages/json.ts'
import type { ObservedFacts } from '../messages/observed-facts.ts'
import { DefaultToolContext } from './default-tool-context.ts'
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
}

/**
 * The run that a tool's context belongs to. A callback that is called by hand has none: nothing was answered, and
 * nobody hears its notices.
 *
 * @example
 * const { answers, kept, ask } = toolRunOf(context)
 * if (answers.length === 0) ask({ message: 'Which floor?' }, { ticket: 7 })
 * return order(kept, answers.at(-1))
 */
export function toolRunOf(context: ToolContext): ToolRun {
  if (!(context instanceof DefaultToolContext))
    return { answers: NONE, ask: (question) => context.suspend(question) as never, notice() {} }
  const { outer } = context
  return {
    answers: outer?.answers ?? NONE,
    kept: outer?.kept,
    ask: (question, kept) => context.leaveWith(question, kept),
    notice: (code, message, data) => context.notice(code, message, data),
    facts: outer?.facts,
  }
}
