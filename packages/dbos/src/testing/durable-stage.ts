/** A PostgreSQL of the test's own, and durable runs on it that are closed when the test has ended. */
import { afterAll, afterEach, beforeAll } from 'vitest'
import pg from 'pg'
import type { ChatClient } from 'toolwright'
import {
  HAS_POSTGRES,
  startPostgres,
  type PostgresServer,
} from '../../../../test/postgres/postgres-server.ts'
import { durableRuns } from '../durable-runs.ts'
import type { DurableRuns, DurableRunsOptions } from '../durable-run.ts'

export interface DurableStage {
  readonly server: PostgresServer
  open(
    clients: { readonly [name: string]: ChatClient },
    options?: Partial<DurableRunsOptions>,
  ): Promise<DurableRuns>
  /** What a test closes earlier than at its end. */
  closeAll(): Promise<void>
  sql(
    text: string,
    values?: readonly unknown[],
  ): Promise<readonly { readonly [column: string]: unknown }[]>
}

export function durableStage(): DurableStage {
  let server: PostgresServer | undefined
  let pool: pg.Pool | undefined
  const opened: DurableRuns[] = []
  beforeAll(async () => {
    if (!HAS_POSTGRES) return
    server = await startPostgres()
    pool = new pg.Pool({ connectionString: server.url, max: 2 })
    pool.on('error', () => {})
  })
  const closeAll = async (): Promise<void> => {
    for (const durable of opened.splice(0)) await durable.close()
  }
  afterEach(closeAll)
  afterAll(async () => {
    await pool?.end()
    await server?.[Symbol.asyncDispose]()
  })
  return {
    closeAll,
    get server() {
      return server!
    },
    async open(clients, options) {
      const durable = await durableRuns({ url: server!.url, clients, heartbeatMs: 50, ...options })
      opened.push(durable)
      return durable
    },
    async sql(text, values = []) {
      return (await pool!.query(text, [...values])).rows as never
    },
  }
}
