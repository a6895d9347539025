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
   * An expression that names the transaction, for `fate`. `null` where a commit cannot be in doubt, because the
   * database is part of this process.
   */
  readonly transactionId: string
  /** Asks what became of the transaction `$1`: `committed`, `aborted`, `in progress`, or nothing when it is not known. */
  readonly fate: string
  /** Whether the table `$1` is there: one row or none. */
  readonly findTable: string
  /** Taken by the transaction that migrates, so that others wait; `$1` is the prefix. Absent: `begin` already did it. */
  readonly migrationLock?: string
  /** Goes behind a `select`: nobody else gets past it for these rows before the transaction ends. */
  readonly lockRows: string
  /** Goes behind the `select` of what is deleted, so that two programs that tidy up do not wait for each other. */
  readonly skipLocked: string
  faultOf(thrown: unknown): Fault
}
