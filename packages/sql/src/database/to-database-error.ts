/** Errors of drivers in the words of the catalogue. */
import { DatabaseError, redact, ToolwrightError, type DatabaseErrorCode } from 'toolwright'
import { factsOf } from './fault.ts'
import type { SqlDialect } from './sql-dialect.ts'

export interface NamedDatabase {
  readonly dialect: Pick<SqlDialect, 'faultOf'>
  /** How messages call it: a file, a host; never a password. */
  readonly name: string
}

const WORDS: { readonly [code in DatabaseErrorCode]: string } = {
  'database-unreachable': 'cannot be reached',
  'database-refused': 'refuses this program',
  'database-closed': 'is closed',
  'database-read-only': 'cannot be written to',
  'database-full': 'is full',
  'database-locked': 'stayed locked by another program',
  'database-connections': 'has no free connection',
  'database-newer': 'is newer than this program',
  'database-corrupt': 'is damaged',
  'database-unsure': 'was lost while it stored something',
  'database-failed': 'failed',
}

/** Errors of toolwright stay as they are. */
export function toDatabaseError(thrown: unknown, { dialect, name }: NamedDatabase): Error {
  if (ToolwrightError.is(thrown)) return thrown
  const { code, pauseMs, says } = dialect.faultOf(thrown)
  const message = says ?? redact(factsOf(thrown).message).replace(/\.$/, '')
  return new DatabaseError(code, `The database ${name} ${WORDS[code]}: ${message}.`, {
    cause: thrown,
    retryable: pauseMs !== undefined,
  })
}
