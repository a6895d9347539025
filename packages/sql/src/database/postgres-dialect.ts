/** What is special about PostgreSQL, whichever driver speaks to it. */
import { factsOf, LATER_MS, SOON_MS, type Fault } from './fault.ts'
import type { SqlDialect } from './sql-dialect.ts'

export const postgresDialect: SqlDialect = {
  kind: 'postgres',
  // Whatever the server's default is: what was read before a lock was waited for must not count after it.
  begin: 'begin isolation level read committed',
  idType: 'bigserial',
  canLoseCommits: true,
  // Not to_regclass(): what it remembers from before the lock may be wrong after it.
  findTable:
    'select relname as name from pg_catalog.pg_class where relname = $1 and pg_catalog.pg_table_is_visible(oid)',
  migrationLock: `select pg_advisory_xact_lock(hashtextextended('toolwright ' || $1, 0))`,
  lockRows: 'for update',
  skipLocked: 'for update skip locked',
  faultOf(thrown): Fault {
    const { code, message } = factsOf(thrown)
    const known = FAULTS.find(([pattern]) => pattern.test(code) || pattern.test(message))
    return known?.[1] ?? { code: 'database-failed' }
  },
}

const LOST: Fault = { code: 'database-unreachable', pauseMs: LATER_MS, isLost: true }

/** pg says it in the words of the protocol. */
const NO_PASSWORD: Fault = {
  code: 'database-refused',
  says: 'it asks for a password, and the address has none',
}

/** Codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), of Node, and words of drivers. */
const FAULTS: readonly (readonly [RegExp, Fault])[] = [
  [/^(53300|53400)$|^timeout exceeded when trying to connect/, { code: 'database-connections', pauseMs: LATER_MS }],
  [/^(08...|57P0[123])$/, LOST],
  [/^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, LOST],
  [/^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT)$/, LOST],
  [/^Connection terminated|connection error and is not queryable/, LOST],
  [/^(ENOTFOUND|EAI_AGAIN|ENOENT)$/, { code: 'database-unreachable' }],
  [/^(28...|3D000|42501)$/, { code: 'database-refused' }],
  [/^SASL: .*password must be/, NO_PASSWORD],
  [/^SASL: /, { code: 'database-refused' }],
  [/^25006$/, { code: 'database-read-only' }],
  [/^53100$/, { code: 'database-full' }],
  [/^(40001|40P01|55P03)$/, { code: 'database-locked', pauseMs: SOON_MS }],
  [/^XX00[12]$/, { code: 'database-corrupt' }],
  [/pool after calling end|driver has already been destroyed/, { code: 'database-closed' }],
] // prettier-ignore
