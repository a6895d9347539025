/** `--watch`: generates again whenever a source, a file it imports or its configuration changes. */
import { dirname } from 'node:path'
import { CommandError } from '../../command/command-error.ts'
import { findSources, findSourcesNow, foldersOf, type Where } from './find-sources.ts'
import { FolderWatch } from './folder-watch.ts'
import type { Plan, Planning } from './plan-outputs.ts'

export interface Watching {
  readonly where: Where
  /** Plans, writes and reports. */
  generate(what: Pick<Planning, 'found' | 'warm'>): Promise<Plan>
  /** Called once, when every further change will be seen. */
  ready(folders: number): void
  /** Reports an error; the next change tries again. */
  failed(error: CommandError): void
  /** Ends the watch. */
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
  // Changes before the folders were watched went unseen, so it looks again at once.
  let mustLookAgain = true
  while (mustLookAgain || (await watch.changed())) {
    mustLookAgain = false
    try {
      const plan = await generate({ found: findSourcesNow(where) })
      mustLookAgain = watch.cover(foldersToWatch(where, plan))
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      failed(error)
    }
  }
}

/** Packages change by installation, not by editing, so they are not watched. */
const foldersToWatch = (where: Where, { dependencies }: Plan): readonly string[] => [
  ...foldersOf(where),
  ...dependencies
    .map((file) => dirname(file))
    .filter((folder) => !/[\\/]node_modules\b/.test(folder)),
]
