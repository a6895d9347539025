/** What a field takes, in a few words. */
import type { JsonSchema } from 'toolwright'
import type { FieldShape } from './field-kind.ts'

export function typeText({ schema, kind, isNullable }: FieldShape): string {
  return [...wordsOf(schema, kind), ...(isNullable ? ['or null'] : [])].join(' ')
}

function wordsOf(schema: JsonSchema, kind: FieldShape['kind']): readonly string[] {
  switch (kind.kind) {
    case 'text':
      return [schema.format ?? 'string', ...range(schema.minLength, schema.maxLength, 'characters')]
    case 'number':
      return [kind.isInteger ? 'integer' : 'number', ...numberRange(schema)]
    case 'array':
      return ['list', ...range(schema.minItems, schema.maxItems, 'items')]
    case 'object':
      return ['object']
    case 'boolean':
      return ['boolean']
    case 'choice':
      return ['one of', String(kind.options.length)]
    case 'union':
      return ['one of', `${kind.options.length} forms`]
    case 'const':
      return ['always the same']
    case 'json':
      return ['JSON']
  }
}

function numberRange(schema: JsonSchema): readonly string[] {
  const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema
  return [
    ...range(schema.minimum, schema.maximum, ''),
    ...(above === undefined ? [] : [`> ${above}`]),
    ...(below === undefined ? [] : [`< ${below}`]),
    ...(multipleOf === undefined ? [] : [`in steps of ${multipleOf}`]),
  ]
}

function range(from: number | undefined, to: number | undefined, unit: string): readonly string[] {
  const text =
    from !== undefined && to !== undefined
      ? `${from}–${to}`
      : from !== undefined
        ? `≥ ${from}`
        : to !== undefined
          ? `≤ ${to}`
          : ''
  return text === '' ? [] : [`${text} ${unit}`.trim()]
}
