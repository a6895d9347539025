/** What a page sent, as far as it is taken: the user's newest words, or decisions about calls that wait. */
import type { UserMessage } from '../../messages/message.ts'
import type { Decisions, PendingCall } from '../../messages/run-state.ts'
import type { Continuation } from './continuation.ts'

export interface PageRequest {
  /** The newest message of the user, labelled as untrusted; none when the page decides. */
  readonly messages: readonly UserMessage[]
  /** For `client.resume(state, decisions)`; empty when the user says something. */
  readonly decisions: Decisions
  /** There when the page decides: for the stream that goes on. */
  readonly continuation?: Continuation
}

export interface FromPageOptions {
  /** What waits in this conversation, as the server knows it. Default: nothing. Nothing else can be decided. */
  readonly pending?: readonly PendingCall[] | undefined
}
