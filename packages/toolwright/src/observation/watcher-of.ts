/** The way to a watcher, loaded only where there is an observer or a logger: decision 18. */
import type { Emit } from '../internal/while-running.ts'
import type { Watcher, Watching } from './watcher.ts'

/** The watcher of a run, or of a batch where a manager is used by hand. `notice` takes what went wrong with watching. */
export function watcherOf(
  watching: Watching,
  notice: Emit | undefined,
): Promise<Watcher> | undefined {
  if (!watching.observer && !watching.logger) return undefined
  return import('./watched.ts').then(({ watcher }) => watcher(watching, notice))
}
