/**
 * The secret that signs suspended states. They never leave the database, so it is kept there: every worker has the
 * same one without being told.
 */
import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'

export async function secretOf(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ secret: string }>(
    `insert into toolwright.durable_secret (id, secret) values (1, $1)
     on conflict (id) do update set secret = toolwright.durable_secret.secret returning secret`,
    [randomBytes(32).toString('base64')],
  )
  return rows[0]!.secret
}
