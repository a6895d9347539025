/** A fresh database for one test, and whatever the test needs to share it with processes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, sqlMemoryRepository, type Database } from '@toolwright/sql'
import { startPostgres } from '../postgres/postgres-server.ts'
import type { Shared } from './shared-database.ts'
import { sqlProcesses } from './sql-processes.ts'

export const KINDS = ['SQLite', 'PostgreSQL'] as const
export type Kind = (typeof KINDS)[number]

export async function withDatabase(
  kind: Kind,
  use: (shared: Shared & { readonly database: Database }) => Promise<unknown>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-shared-'))
  const server = kind === 'PostgreSQL' ? await startPostgres() : undefined
  const address = server?.url ?? `file:${join(folder, 'shared.db')}`
  const database = await openDatabase(address, { waitMs: 120_000 })
  const processes = await sqlProcesses()
  try {
    await use({ address, server, processes, database, repository: sqlMemoryRepository(database) })
  } finally {
    processes[Symbol.dispose]()
    await database.close()
    await server?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
}
