/** Where SQLite and PostgreSQL differ. All other SQL is the same, written once. */
import type { DatabaseKind } from './database.ts'
import type { Fault } from './fault.ts'

export interface SqlDialect {
  readonly kind: DatabaseKind
  /** Starts a transaction that will write. */
  readonly begin: string
  /** The type of a column that numbers its rows by itself. */
  readonly idType: 'integer' | 'bigserial'
  /**
   * The connection may be lost at a commit, and nothing says then whether it happened. Not where the database is part of
   * this process.
   */
  readonly canLoseCommits: boolean
  /** Whether the table `$1` is there: one row or none. */
  readonly findTable: string
  /** Taken by the transaction that migrates, so that others wait; `$1` is the prefix. Absent: `begin` already did it. */
  readonly migrationLock?: string
  /** Goes behind a `select`: no other transaction gets past it for these rows before the transaction ends. */
  readonly lockRows: string
  /** Goes behind the `select` of what is deleted, so that two programs that tidy up do not wait for each other. */
  readonly skipLocked: string
  faultOf(thrown: unknown): Fault
}
