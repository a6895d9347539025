/** What waits in a turn and what is to become of it, for the cards of calls inside of it. */
import { createContext } from 'preact'
import type { Decision, Decisions } from 'toolwright'
import type { RefusedDecision, ShownPending } from '../../../src/protocol/shown-content.ts'

export interface Decider {
  readonly pending: readonly ShownPending[]
  /** Decided here, but not sent yet, because there are others to decide. */
  readonly chosen: Decisions
  readonly isSending: boolean
  /** Why the last decisions were not taken. */
  readonly refused?: RefusedDecision
  readonly choose: (callId: string, decision: Decision | undefined) => void
}

export const DeciderContext = createContext<Decider | undefined>(undefined)
