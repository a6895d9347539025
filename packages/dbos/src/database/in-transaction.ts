import type { Pool, PoolClient } from 'pg'

/** All of the work or nothing of it. */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin isolation level read committed')
    const value = await work(client)
    await client.query('commit')
    return value
  } catch (thrown) {
    await client.query('rollback').catch((error: unknown) => (broken = error as Error))
    throw thrown
  } finally {
    // A connection that cannot even roll back is not given to anybody else.
    client.release(broken)
  }
}
