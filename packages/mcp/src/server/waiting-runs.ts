/** The run store of a server: the program's own, or one in memory that bounds what waits. */
import { ConfigurationError, inMemoryRunStore, type PendingRun, type RunStore } from 'toolwright'

/** A store that keeps runs. */
export type KeepingStore = RunStore & Required<Pick<RunStore, 'save' | 'find'>>

/** Calls that clients left without an answer must not fill the memory. */
const MOST_WAITING = 10_000

export function waitingRuns(given: RunStore | undefined): KeepingStore {
  if (!given) return boundedStore(inMemoryRunStore())
  if (given.save && given.find) return given as KeepingStore
  throw new ConfigurationError(
    'invalid-option',
    'The runStore of serveTools() must keep runs: give one with save() and find(), such as sqlRunStore(db) or inMemoryRunStore().',
  )
}

/** When it is full, the run that waits longest is given up. */
function boundedStore(store: Required<RunStore>): KeepingStore {
  const stateOf = new Map<string, string>()
  return {
    use: (stateId, by) => store.use(stateId, by),
    find: (runId) => store.find(runId),
    async save(run: PendingRun) {
      await store.save(run)
      stateOf.delete(run.runId)
      stateOf.set(run.runId, run.stateId)
      const [oldest] = stateOf
      if (stateOf.size <= MOST_WAITING || !oldest) return
      stateOf.delete(oldest[0])
      await store.use(oldest[1])
    },
  }
}
