/** `--watch`: generates again whenever a source, what it imports or its configuration changes. */
import { dirname } from 'node:path'
import { CommandError } from '../../command/command-error.ts'
import { findSources, findSourcesNow, foldersOf, type Where } from './find-sources.ts'
import { FolderWatch } from './folder-watch.ts'
import type { Plan, Planning } from './plan-outputs.ts'

export interface Watching {
  readonly where: Where
  /** Plans, writes and says so. */
  generate(what: Pick<Planning, 'found' | 'warm'>): Promise<Plan>
  /** Told once, when every change from now on will be seen. */
  ready(folders: number): void
  /** What went wrong and will be tried again after the next change. */
  failed(error: CommandError): void
  /** Ends it. */
  readonly signal: AbortSignal
}

export async function keepFresh({
  where,
  generate,
  ready,
  failed,
  signal,
}: Watching): Promise<void> {
  const watch = new FolderWatch(signal)
  const first = await generate({ found: findSources(where), warm: true })
  watch.cover(foldersToWatch(where, first))
  ready(watch.size)
  // What happened before the folders were watched went unseen, so it looks once more at once.
  let again = true
  while (again || (await watch.changed())) {
    again = false
    try {
      const plan = await generate({ found: findSourcesNow(where) })
      again = watch.cover(foldersToWatch(where, plan))
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      failed(error)
    }
  }
}

/** Packages change by being installed, not by being edited. */
const foldersToWatch = (where: Where, { dependencies }: Plan): readonly string[] => [
  ...foldersOf(where),
  ...dependencies
    .map((file) => dirname(file))
    .filter((folder) => !/[\\/]node_modules\b/.test(folder)),
]
