/** A connection to a file of SQLite, for what `@toolwright/sql` has no words for. */
import { pathToFileURL } from 'node:url'
import type { Database } from 'libsql'

/** Waiting for a lock stops the whole program, which has nothing else to do. */
const WAIT_MS = 20_000

export async function withLibsql<Value>(
  file: string,
  work: (connection: Database) => Promise<Value>,
): Promise<Value> {
  const { default: Libsql } = await import('libsql')
  const connection = new Libsql(pathToFileURL(file).href, { timeout: WAIT_MS })
  try {
    return await work(connection)
  } finally {
    connection.close()
  }
}
