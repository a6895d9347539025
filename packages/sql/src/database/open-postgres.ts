/** Opens a pool of connections to PostgreSQL, by pg. */
import type { Kysely } from 'kysely'
import { loadDriver } from './load-driver.ts'

export interface PostgresOptions {
  readonly url: string
  readonly connections: number
  readonly waitMs: number
}

export async function openPostgres(options: PostgresOptions): Promise<Kysely<unknown>> {
  const { Kysely, PostgresDialect } = await loadDriver(() => import('kysely'), 'kysely')
  const { default: pg } = await loadDriver(() => import('pg'), 'pg')
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: Math.max(1, options.waitMs),
    keepAlive: true,
    // A program that forgets to close the database still ends.
    allowExitOnIdle: true,
    fallback_application_name: 'toolwright',
  })
  // A connection that breaks while it is not used, or between two statements, would end the process otherwise. The
  // query that uses it next fails, or is given another one.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
}
