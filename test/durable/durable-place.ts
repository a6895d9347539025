/**
 * What every suite needs: one PostgreSQL for the runs, another for the ledger, and the program of the workers. Each suite
 * takes a database of its own, so that several can work side by side.
 */
import type { DurableRunsOptions } from '@toolwright/dbos'
import { createDatabase } from '../postgres/create-database.ts'
import { startPostgres, type PostgresServer } from '../postgres/postgres-server.ts'
import { startAsked } from '../processes/asked-process.ts'
import { bundleProgram } from '../processes/bundle-program.ts'
import { createLedger, openLedger, type EffectLedger } from './effect-ledger.ts'
import type { WorkerAnswers, WorkerTask } from './durable-worker.ts'
import { WorkerTeam } from './worker-team.ts'

export interface DurablePlace {
  /** Of the runs. */
  readonly server: PostgresServer
  readonly ledger: EffectLedger
  /** A team with a fresh database and no worker yet. */
  team(options?: WorkerTask['options']): Promise<WorkerTeam>
  [Symbol.asyncDispose](): Promise<void>
}

/** So that the dead are found soon. */
const QUICK: Omit<DurableRunsOptions, 'url' | 'clients'> = { heartbeatMs: 100 }

export async function openPlace(): Promise<DurablePlace> {
  const server = await startPostgres({ max_connections: '200' })
  const ledgerServer = await startPostgres()
  await createLedger(ledgerServer.url)
  const ledger = openLedger(ledgerServer.url)
  const program = await bundleProgram(new URL('durable-worker.ts', import.meta.url))
  const teams: WorkerTeam[] = []
  let databases = 0
  return {
    server,
    ledger,
    async team(options) {
      const url = await createDatabase(server.url, `team${databases++}`)
      const task: WorkerTask = { url, ledger: ledgerServer.url, options: { ...QUICK, ...options } }
      const team = new WorkerTeam(() => startAsked<WorkerAnswers>(program.file, task))
      teams.push(team)
      return team
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(teams.map((team) => team.dismiss()))
      await ledger.close()
      await ledgerServer[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      program[Symbol.dispose]()
    },
  }
}
