/** Connections to PostgreSQL. */
import pg from 'pg'

export interface PoolOptions {
  readonly url: string
  readonly connections: number
}

export function openPool({ url, connections }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // A server that is gone without a word is noticed in minutes, not in hours.
    keepAliveInitialDelayMillis: 10_000,
    fallback_application_name: 'toolwright',
  })
  // A connection that breaks while nobody uses it would end the process otherwise. Whoever uses it next is told.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
