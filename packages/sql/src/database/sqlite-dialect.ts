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
    const named = nameOfCode(code)
    const known = FAULTS.find(([pattern]) => pattern.test(named) || pattern.test(message))
    return known?.[1] ?? { code: 'database-failed' }
  },
}

/** libsql has no names for the codes that say more; their last byte is the plain code. */
function nameOfCode(code: string): string {
  const number = Number(/^UNKNOWN_SQLITE_ERROR_(\d{1,9})$/.exec(code)?.[1] ?? NaN)
  if (number === READONLY_DIRECTORY) return 'SQLITE_READONLY_DIRECTORY'
  return PLAIN_CODES[number & 0xff] ?? code
}

const READONLY_DIRECTORY = 1544
/** https://www.sqlite.org/rescode.html */
const PLAIN_CODES: { readonly [code: number]: string } = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
}

/** SQLite would have to make files beside this one, even to read it. */
const IN_READONLY_FOLDER: Fault = {
  code: 'database-read-only',
  says: 'its folder cannot be written to, and SQLite cannot even read it there while others may write; if nobody does, ?immutable=1 behind the address reads it',
}

const CANNOT_OPEN: Fault = {
  code: 'database-unreachable',
  says: 'the file cannot be opened, because it or its folder is not there, or this program may not use them',
}

const FAULTS: readonly (readonly [RegExp, Fault])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, { code: 'database-locked', pauseMs: SOON_MS }],
  [/^SQLITE_READONLY_DIRECTORY/, IN_READONLY_FOLDER],
  [/^SQLITE_READONLY/, { code: 'database-read-only' }],
  [/^SQLITE_FULL/, { code: 'database-full' }],
  [/^SQLITE_(CORRUPT|NOTADB)/, { code: 'database-corrupt' }],
  [/^SQLITE_(PERM|AUTH)/, { code: 'database-refused' }],
  // libsql says it as its own code does: ConnectionFailed("Unable to open …: 14").
  [/^SQLITE_CANTOPEN|^ConnectionFailed/, CANNOT_OPEN],
  [/connection is not open|driver has already been destroyed/, { code: 'database-closed' }],
]
