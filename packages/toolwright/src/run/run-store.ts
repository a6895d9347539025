/** Makes each suspended state usable once. */
export interface RunStore {
  /** Marks the state as used. False when it already was: atomically, also between processes that share the store. */
  use(stateId: string): Promise<boolean>
}

/** Remembers the states this process resumed. Several processes need a shared store. */
export function inMemoryRunStore(): RunStore {
  const used = new Set<string>()
  return {
    async use(stateId) {
      if (used.has(stateId)) return false
      used.add(stateId)
      return true
    },
  }
}
