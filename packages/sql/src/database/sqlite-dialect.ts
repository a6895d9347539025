/** What is special about SQLite, whichever driver speaks to it (libsql and better-sqlite3 have the same codes). */
import { factsOf, SOON_MS, type Fault } from './fault.ts'
import type { SqlDialect } from './sql-dialect.ts'

export const sqliteDialect: SqlDialect = {
  kind: 'sqlite',
  // Takes the write lock at once: a transaction that reads first could not get it any more after others wrote.
  begin: 'begin immediate',
  idType: 'integer',
  canLoseCommits: false,
  findTable: `select name from sqlite_master where type = 'table' and name = ?`,
  // The transaction has the whole database.
  lockRows: '',
  skipLocked: '',
  faultOf(thrown): Fault {
    const { code, message } = factsOf(thrown)
    const known = FAULTS.find(([pattern]) => pattern.test(code) || pattern.test(message))
    return known?.[1] ?? { code: 'database-failed' }
  },
}

const FAULTS: readonly (readonly [RegExp, Fault])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, { code: 'database-locked', pauseMs: SOON_MS }],
  [/^SQLITE_READONLY/, { code: 'database-read-only' }],
  [/^SQLITE_FULL/, { code: 'database-full' }],
  [/^SQLITE_(CORRUPT|NOTADB)/, { code: 'database-corrupt' }],
  [/^SQLITE_(PERM|AUTH)/, { code: 'database-refused' }],
  [/^SQLITE_CANTOPEN|^ConnectionFailed/, { code: 'database-unreachable' }],
  [/connection is not open|driver has already been destroyed/, { code: 'database-closed' }],
]
