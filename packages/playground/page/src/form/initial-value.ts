/** What a field begins with. */
import type { Json, JsonSchema, JsonSchemaNode } from 'toolwright'
import { type FieldKind, fieldShape } from './field-kind.ts'

/** Required objects inside of required objects; deeper ones wait until somebody wants them. */
export const INLINE_DEPTH = 4

/** Undefined: nothing is known, and it is absent. */
export function initialValue(
  node: JsonSchemaNode | undefined,
  root: JsonSchema,
  depth = 0,
): Json | undefined {
  const { schema, kind, isNullable } = fieldShape(node, root)
  if (schema.default !== undefined) return schema.default
  if (isNullable) return undefined
  switch (kind.kind) {
    case 'const':
      return kind.value
    case 'array':
      return []
    case 'object':
      return depth > INLINE_DEPTH ? undefined : initialObject(kind, root, depth)
    default:
      return undefined
  }
}

/** What is put into a list, which has no place for what is absent. */
export function initialItem(node: JsonSchemaNode | undefined, root: JsonSchema): Json {
  const begin = initialValue(node, root)
  if (begin !== undefined) return begin
  const { kind } = fieldShape(node, root)
  if (kind.kind === 'choice') return kind.options[0]!.value
  if (kind.kind === 'union') return initialValue(kind.options[0]!.schema, root) ?? null
  if (kind.kind === 'object') return {}
  if (kind.kind === 'boolean') return false
  return kind.kind === 'text' ? '' : null
}

function initialObject(
  { properties }: Extract<FieldKind, { readonly kind: 'object' }>,
  root: JsonSchema,
  depth: number,
): Json {
  const entries = properties
    .filter(({ isRequired }) => isRequired)
    .map(({ name, node }) => [name, initialValue(node, root, depth + 1)] as const)
  return Object.fromEntries(
    entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined),
  )
}
