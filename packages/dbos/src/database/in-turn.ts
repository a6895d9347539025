import type { Pool, PoolClient } from 'pg'

const ASK_AGAIN_MS = 50

/**
 * Does the work while no other program does it on this database. DBOS makes its tables without asking whether somebody
 * else is about to: of several workers that start on a new database, all but one would fail.
 */
export async function inTurn<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    // Asked again and again: a statement that waits would hold up an index that DBOS makes concurrently, for ever.
    while (!(await isTaken(client)))
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    return await work()
  } finally {
    // The lock goes with its connection, also with that of a program that dies.
    client.release(true)
  }
}

async function isTaken(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ readonly taken: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('toolwright durable launch', 0)) as taken`,
  )
  return rows[0]!.taken
}
