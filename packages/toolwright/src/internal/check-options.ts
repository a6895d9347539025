/** Options are checked once, at the edge: a misspelt one is an error, never silently ignored. */
import { ConfigurationError } from '../errors/errors.ts'
import { didYouMean } from './nearest-names.ts'

/** Throws for options that are no object, and for one that `where` does not know. */
export function checkOptions(where: string, options: unknown, known: readonly string[]): void {
  if (options === undefined) return
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new ConfigurationError('invalid-option', `${where} takes an object of options.`)
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      throw new ConfigurationError(
        'unknown-option',
        `${where} has no option "${key}".${didYouMean(key, known)} It takes: ${known.join(', ')}.`,
      )
    }
  }
}

/** A number of at least 1, or the word `unlimited`. What counts something is whole; a time in ms need not be. */
export function checkLimit(where: string, value: unknown): void {
  if (value === 'unlimited') return
  checkNumber(where, value, {
    least: 1,
    isWhole: !where.endsWith('Ms'),
    isOptional: true,
    or: ", or 'unlimited'",
  })
}

export interface NumberRule {
  readonly least: number
  readonly isWhole?: boolean
  readonly isOptional?: boolean
  /** What else is taken, for the message. */
  readonly or?: string
}

/** Throws for what is no finite number, or too small. */
export function checkNumber(
  where: string,
  value: unknown,
  { least, isWhole, isOptional, or = '' }: NumberRule,
): void {
  if (isOptional && value === undefined) return
  const isSound = isWhole ? Number.isInteger(value) : Number.isFinite(value)
  if (isSound && (value as number) >= least) return
  const given = typeof value === 'string' ? `"${value}"` : String(value)
  const kind = isWhole ? 'whole number' : 'number'
  throw new ConfigurationError(
    'invalid-option',
    `${where} is ${given}; it takes a ${kind} of at least ${least}${or}.`,
  )
}
