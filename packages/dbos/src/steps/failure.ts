/** What a step threw, as its record keeps it: enough for whoever catches it at a replay to decide the same. */
import { redact, ToolwrightError, type Json } from 'toolwright'

export interface Failure {
  readonly name: string
  readonly message: string
  /** Errors of toolwright are told by this when they come from a record. */
  readonly isOurs?: true
  readonly fields?: { readonly [field: string]: Json }
}

export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { name: 'Error', message: redact(String(thrown)) }
  const { name, message } = thrown
  const fields = Object.entries(thrown).filter(([, value]) => isPlain(value))
  return {
    name,
    message: redact(message),
    ...(ToolwrightError.is(thrown) && { isOurs: true }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) as Failure['fields'] }),
  }
}

const isPlain = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** Carried by every error of toolwright, also of another copy of the package. */
const BRAND = Symbol.for('toolwright.error')

export function errorOf({ name, message, isOurs, fields }: Failure): Error {
  const error = Object.assign(new Error(message), fields)
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  return isOurs ? Object.assign(error, { [BRAND]: true }) : error
}
