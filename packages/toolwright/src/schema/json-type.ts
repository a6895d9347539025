/** The JSON Schema name of a value's type; `undefined` and friends have none that any schema allows. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'not a number'
  return typeof value
}

/** Whether a value is of a type that `type` names. */
export function isOfType(value: unknown, types: readonly unknown[]): boolean {
  return types.includes(jsonTypeOf(value)) || (types.includes('integer') && Number.isInteger(value))
}

/** The types a schema names itself, or those of its constants; undefined when it names none. */
export function typesNamedBy(schema: {
  readonly [keyword: string]: unknown
}): readonly unknown[] | undefined {
  if (typeof schema.type === 'string') return [schema.type]
  if (Array.isArray(schema.type)) return schema.type
  if (schema.const !== undefined) return [jsonTypeOf(schema.const)]
  if (Array.isArray(schema.enum)) return [...new Set(schema.enum.map(jsonTypeOf))]
  return undefined
}
