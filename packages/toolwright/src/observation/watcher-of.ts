/** The way to a watcher, which is loaded only where there is an observer or a logger: decision 18. */
import type { EmitEvent } from '../messages/chat-event.ts'
import { loadWatched } from '../on-demand.ts'
import { isListenedTo } from './channels.ts'
import type { Watcher, Watching } from './watcher.ts'

/** Whether anybody watches. */
export const isWatched = ({ observer, logger }: Pick<Watching, 'observer' | 'logger'>): boolean =>
  observer !== undefined || Boolean(logger) || isListenedTo()

/**
 * The watcher of a run, or of a batch where a manager is used by hand. `tell` takes the notice that watching
 * failed. To be asked only for what is watched.
 */
export function watcherOf(
  watching: Watching,
  tell: EmitEvent | undefined,
): Watcher | Promise<Watcher> {
  if (loaded) return loaded.watcher(watching, tell)
  return loadWatched().then((watched) => (loaded = watched).watcher(watching, tell))
}

/** Kept here, because Node's import of a loaded module costs as much as watching several calls. */
let loaded: Awaited<ReturnType<typeof loadWatched>> | undefined
