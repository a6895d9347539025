/** What of a value stays when another form of a union is chosen. */
import type { Json, JsonSchema } from 'toolwright'
import { fieldShape } from './field-kind.ts'
import { fitOf, isJsonObject } from './fit-of.ts'
import { initialValue } from './initial-value.ts'

export function keepWhatFits(
  value: Json | undefined,
  schema: JsonSchema,
  root: JsonSchema,
): Json | undefined {
  const begin = initialValue(schema, root)
  if (value === undefined) return begin
  const { kind } = fieldShape(schema, root)
  if (kind.kind !== 'object' || !isJsonObject(value)) {
    return fitOf(value, schema, root) >= 0 ? value : begin
  }
  const kept = kind.properties.flatMap(({ name, node }) => {
    const each = value[name]
    return each !== undefined && fitOf(each, node, root) >= 0 ? [[name, each] as const] : []
  })
  return { ...(isJsonObject(begin) ? begin : {}), ...Object.fromEntries(kept) }
}
