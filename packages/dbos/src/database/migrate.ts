/** Makes the tables of durable runs, or brings them to the version that this code knows, by one program at a time. */
import type { Pool, PoolClient } from 'pg'
import { DatabaseError } from 'toolwright'
import { inTransaction } from './in-transaction.ts'
import { MIGRATIONS } from './migrations.ts'

/** `migrations` is for tests: what a later or an earlier release would know. */
export async function migrate(
  pool: Pool,
  migrations: readonly string[] = MIGRATIONS,
): Promise<void> {
  if ((await versionOf(pool, migrations)) === migrations.length) return
  await inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('toolwright durable', 0))`)
    const version = await versionOf(client, migrations)
    for (const statements of migrations.slice(version)) await client.query(statements)
    await client.query(
      `insert into toolwright.durable_schema (id, version) values (1, $1)
       on conflict (id) do update set version = excluded.version`,
      [migrations.length],
    )
  })
}

async function versionOf(
  client: Pool | PoolClient,
  migrations: readonly string[],
): Promise<number> {
  const { rows: tables } = await client.query(
    `select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'toolwright' and c.relname = 'durable_schema'`,
  )
  if (tables.length === 0) return 0
  const { rows } = await client.query<{ readonly version: number }>(
    'select version from toolwright.durable_schema where id = 1',
  )
  const found = rows[0]?.version ?? 0
  if (found <= migrations.length) return found
  throw new DatabaseError(
    'database-newer',
    `The tables of durable runs have version ${found}; this program knows ${migrations.length}.`,
  )
}
