/** What the message of a page had before its run went on. */
import { isObject } from '../../schema/json-object.ts'
import type { RunState } from '../../messages/run-state.ts'
import type { Continuation } from '../page/continuation.ts'
import { toUiMessages } from './to-ui-messages.ts'
import type { UiPart } from './ui-message.ts'

/** Of a state, what a page reads. */
export type ShownState = Pick<RunState, 'messages' | 'pending' | 'answered'>

export function earlierParts(
  { messages, pending, answered }: ShownState,
  { decisions }: Continuation,
): readonly UiPart[] {
  // What was decided is asked no more. A no is an answer to the request, which the page must have for it.
  const open = pending.filter(({ callId }) => {
    if (!Object.hasOwn(decisions, callId)) return true
    const decision: unknown = decisions[callId]
    return isObject(decision) && Object.hasOwn(decision, 'deny')
  })
  return toUiMessages(messages, { pending: open, answered }).at(-1)?.parts ?? []
}
