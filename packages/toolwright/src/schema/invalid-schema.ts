/** The error for a schema that is itself wrong. */
import { ConfigurationError } from '../errors/errors.ts'

export function invalidSchema(message: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError('invalid-schema', message, cause === undefined ? {} : { cause })
}
