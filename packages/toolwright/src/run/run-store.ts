/** The contract of whatever makes suspended states usable once, and may keep the runs that wait. */
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { PendingCall, RunState } from '../messages/run-state.ts'

/** A run that waits for decisions, as a store keeps it. Plain JSON. */
export interface PendingRun {
  readonly runId: string
  /** What `use` will be asked for. */
  readonly stateId: string
  /** The conversation that the request named, if it named one. */
  readonly conversation?: ConversationKey
  /** What somebody decides about. */
  readonly pending: readonly PendingCall[]
  /** What the run goes on from: `client.resume(state, decisions)`. */
  readonly state: RunState
  /** Milliseconds since 1970, by the clock of whoever saved it. */
  readonly savedAt: number
}

/**
 * Which of the waiting runs are listed. `conversation` without `tenant` is the key that is a plain text; both are
 * that tenant's conversation; `tenant` alone is everything of that tenant; neither is everything.
 */
export interface PendingRunQuery {
  readonly tenant?: string | undefined
  readonly conversation?: string | undefined
  /** At most this many, a whole number of at least 1. Default 50. */
  readonly limit?: number | undefined
  /** That of the page before, with the same `tenant` and `conversation`. */
  readonly cursor?: string | undefined
}

export interface PendingRunPage {
  readonly runs: readonly PendingRun[]
  /** Asks for the next page. Absent when there was nothing more. */
  readonly cursor?: string
}

/**
 * Makes each suspended state usable once. A store with `save` also keeps the runs that wait: the client saves each
 * run when it is suspended, before anybody hears of it.
 */
export interface RunStore {
  /**
   * Marks the state as used. False when it already was: atomically, also between processes that share the store.
   * A durable run says who it is: `by` is the same when it is replayed. A store that keeps it says true again to
   * the one who used the state, so that a crash right after `use` does not lose the run. A run whose state was used
   * waits no more.
   */
  use(stateId: string, by?: string): Promise<boolean>
  /**
   * Keeps a run that waits. A newer state of the same run takes the place of the older one. A state that was used
   * before is not kept: a run that is replayed after a crash may save it once more.
   */
  save?(run: PendingRun): Promise<void>
  /** The run while it waits: nothing once its state was used. */
  find?(runId: string): Promise<PendingRun | undefined>
  /**
   * What waits, by `savedAt`, oldest first. A run that waits all the while is on exactly one of the pages, whatever
   * is saved and used between them. A bad limit or cursor rejects with a `ConfigurationError` (`invalid-option`).
   */
  list?(query: PendingRunQuery): Promise<PendingRunPage>
}

/** The states that were used, and by whom. */
export interface UsedStates extends RunStore {
  has(stateId: string): boolean
}

/** Remembers the states this process resumed, and keeps no runs. */
export function usedStates(): UsedStates {
  const users = new Map<string, string | undefined>()
  return {
    has: (stateId) => users.has(stateId),
    async use(stateId, by) {
      if (users.has(stateId)) return by !== undefined && users.get(stateId) === by
      users.set(stateId, by)
      return true
    },
  }
}
