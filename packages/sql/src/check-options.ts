/** Options are checked once, at the edge: a misspelt one is an error, never silently ignored. */
import { ConfigurationError } from 'toolwright'

export function checkOptions(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new ConfigurationError('invalid-option', `${where} takes an object of options.`)
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new ConfigurationError(
      'unknown-option',
      `${where} has no option "${unknown}"; it takes ${known.join(', ')}.`,
    )
}

export function checkWholeNumber(name: string, value: unknown, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return
  throw new ConfigurationError(
    'invalid-option',
    `${name} is ${typeof value === 'string' ? JSON.stringify(value) : String(value)}; it takes a whole number of at least ${least}.`,
  )
}

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
