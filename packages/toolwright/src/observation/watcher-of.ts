/** The way to a watcher, which is loaded only where there is an observer or a logger: decision 18. */
import type { EmitEvent } from '../messages/chat-event.ts'
import { loadWatched } from '../on-demand.ts'
import type { Watcher, Watching } from './watcher.ts'

/**
 * The watcher of a run, or of a batch where a manager is used by hand. `tell` takes the notice that watching
 * failed. To be asked only for what is watched.
 */
export async function watcherOf(watching: Watching, tell: EmitEvent | undefined): Promise<Watcher> {
  loaded ??= await loadWatched()
  return loaded.watcher(watching, tell)
}

/** Kept here, because Node's import of a loaded module costs as much as watching several calls. */
let loaded: Awaited<ReturnType<typeof loadWatched>> | undefined
