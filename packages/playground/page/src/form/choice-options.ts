/** The values of which a schema allows one. */
import type { Json, JsonSchema } from 'toolwright'
import { resolveSchema } from './resolve-schema.ts'

export interface ChoiceOption {
  readonly value: Json
  readonly label: string
}

/** Undefined: the schema is no list of values. */
export function choiceIn(
  schema: JsonSchema,
  root: JsonSchema,
): readonly ChoiceOption[] | undefined {
  if (schema.enum) return schema.enum.map((value) => ({ value, label: valueLabel(value) }))
  const members = schema.oneOf ?? schema.anyOf
  const options = members?.map((member) => {
    const { const: only, title } = resolveSchema(member, root)
    return only === undefined ? undefined : { value: only, label: title ?? valueLabel(only) }
  })
  return options?.every((option) => option !== undefined) ? options : undefined
}

/** An empty text would be no label at all. */
export const valueLabel = (value: Json): string =>
  typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
