/** Compiles a pattern of a schema, with Unicode rules first; some older patterns only compile without. */
import { shorten } from './describe-value.ts'
import { invalidSchema } from './invalid-schema.ts'

export function patternOf(source: string): RegExp {
  let cause: unknown
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch (thrown) {
      cause = thrown
    }
  }
  throw invalidSchema(`The pattern "${shorten(source)}" is no regular expression.`, cause)
}
