/** Opens a file of SQLite, or one in memory, by libsql. */
import type { Kysely } from 'kysely'
import { loadDriver } from './load-driver.ts'
import { Patience } from './patience.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

/** The driver waits for locks by stopping the whole program, so it waits only this long. */
const BLOCKING_MS = 5

export async function openSqlite(file: string, waitMs: number): Promise<Kysely<unknown>> {
  const { Kysely, SqliteDialect } = await loadDriver(() => import('kysely'), 'kysely')
  const { default: Libsql } = await loadDriver(() => import('libsql'), 'libsql')
  const database = new Libsql(file, { timeout: BLOCKING_MS })
  const statements = new Map<string, ReturnType<typeof database.prepare>>()
  try {
    await useWriteAheadLog(database, new Patience(waitMs))
  } catch (thrown) {
    database.close()
    throw thrown
  }
  return new Kysely<unknown>({
    dialect: new SqliteDialect({
      database: {
        // The statements of this package are few, and preparing one costs more than running it.
        prepare(sql) {
          const known = statements.get(sql) ?? database.prepare(sql)
          statements.set(sql, known)
          return known as never
        },
        close() {
          // libsql lets go of the file when its statements are collected, which may be later.
          statements.clear()
          emptyWriteAheadLog(database)
          database.close()
        },
      },
    }),
  })
}

/** So that the file alone is the whole database. Other processes may still need the log: then it stays. */
function emptyWriteAheadLog(database: { prepare(sql: string): { all(): unknown } }): void {
  try {
    database.prepare('pragma wal_checkpoint(truncate)').all()
  } catch {
    // A database that cannot be written to has nothing to empty, and a log that stays is read again.
  }
}

/** Readers and a writer do not wait for each other. The file keeps it; one in memory or read-only stays as it is. */
async function useWriteAheadLog(
  database: { prepare(sql: string): { all(): unknown } },
  patience: Patience,
): Promise<void> {
  for (;;) {
    try {
      database.prepare('pragma journal_mode = wal').all()
      return
    } catch (thrown) {
      const { code, pauseMs } = sqliteDialect.faultOf(thrown)
      if (code === 'database-read-only') {
        // A file that cannot even be read is told now, and not at its first use.
        database.prepare('pragma schema_version').all()
        return
      }
      if (pauseMs === undefined || !(await patience.pause(pauseMs))) throw thrown
    }
  }
}
