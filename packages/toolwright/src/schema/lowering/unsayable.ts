/** What no dialect can say, or a strict one cannot. */
import type { JsonObject } from '../json-object.ts'
import type { Lowered, LoweringContext } from './lowering-context.ts'
import { demandsOf, type PlainPart } from './schema-parts.ts'

export const DESCRIBED_TEXT = 'any JSON value, written as JSON text'

/** Any value, where every value must be described. */
export function anyText(notes: readonly string[] = []): Lowered {
  return {
    schema: { type: 'string', description: `(${[DESCRIBED_TEXT, ...notes].join(', ')})` },
    plan: { kind: 'text' },
  }
}

/** No dialect can say that nothing fits: null stands for it, and everything that is asked is reported. */
export function nothingFits(
  { parts }: { readonly parts: readonly PlainPart[] },
  context: Pick<LoweringContext, 'report'>,
): JsonObject {
  for (const { schema, path } of parts)
    for (const keyword of demandsOf(schema))
      context.report({ path, keyword, how: 'kept in the description', isPoor: true })
  return { type: 'null', description: '(nothing fits here)' }
}
