/** Durable runs: one worker of this process, and the way to every run in the database. */
import type { DurableClients, DurableRuns, DurableRunsOptions } from './durable-run.ts'
import { durableSettings } from './durable-settings.ts'

/**
 * Opens the database, makes this process a worker, and gives access to all runs.
 *
 * @example
 * await using durable = await durableRuns({ url: 'postgres://…', clients: { support: client } })
 * const run = await durable.start('support', { prompt: 'Refund order 7' })
 * console.log((await run.result()).status)
 */
export async function durableRuns<Clients extends DurableClients>(
  options: DurableRunsOptions<Clients>,
): Promise<DurableRuns<keyof Clients & string>> {
  const settings = durableSettings(options)
  // DBOS is loaded by programs that open durable runs, not by those that only import this door.
  const { launchDurableRuns } = await import('./launch-durable-runs.ts')
  return launchDurableRuns(settings)
}
