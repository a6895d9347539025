/** A schema author's pattern. Unicode rules first; some older patterns only compile without. */
import { ConfigurationError } from '../errors/errors.ts'
import { shorten } from './describe-value.ts'

export function patternOf(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    return withoutUnicode(source)
  }
}

function withoutUnicode(source: string): RegExp {
  try {
    return new RegExp(source)
  } catch (cause) {
    const text = JSON.stringify(shorten(source))
    throw new ConfigurationError(
      'invalid-schema',
      `The pattern ${text} is no regular expression.`,
      {
        cause,
      },
    )
  }
}
