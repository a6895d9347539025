/** What a tool may be called here. What a provider does not take, its adapter replaces. */
import { ConfigurationError } from '../errors/errors.ts'
import { describeValue } from '../schema/describe-value.ts'

/** Longer than any provider takes. */
export const LONGEST_NAME = 128

export const invalidName = (name: unknown): ConfigurationError =>
  new ConfigurationError(
    'invalid-tool',
    String(name ?? '').trim() === ''
      ? "A tool has no name: write tool({ name: 'weather', ... }), or offer it in a record of tools."
      : `The tool name ${describeValue(name)} is longer than ${LONGEST_NAME} characters.`,
  )
