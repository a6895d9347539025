/** Makes each suspended state usable once. */
export interface RunStore {
  /**
   * Marks the state as used. False when it already was: atomically, also between processes that share the store.
   * A durable run says who it is: `by` is the same when it is replayed. A store that keeps it says true again to
   * the one who used the state, so that a crash right after `use` does not lose the run.
   */
  use(stateId: string, by?: string): Promise<boolean>
}

/** Remembers the states this process resumed. Several processes need a shared store. */
export function inMemoryRunStore(): RunStore {
  const users = new Map<string, string | undefined>()
  return {
    async use(stateId, by) {
      if (users.has(stateId)) return by !== undefined && users.get(stateId) === by
      users.set(stateId, by)
      return true
    },
  }
}
