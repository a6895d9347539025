import { ConfigurationError } from 'toolwright'

/** Becomes part of names of tables and indexes, of which PostgreSQL keeps 63 characters. */
export function checkPrefix(prefix: unknown): asserts prefix is string {
  // SQLite keeps names that start so for itself.
  const isPlain = /^(?!sqlite_)[a-z_][a-z0-9_]{0,30}$/
  if (typeof prefix === 'string' && isPlain.test(prefix)) return
  throw new ConfigurationError(
    'invalid-option',
    `prefix is ${JSON.stringify(prefix)}; it takes up to 31 small letters, digits and underscores, a digit not first, and does not start with sqlite_.`,
  )
}
