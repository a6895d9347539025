/** What must be there and is not. Whether the rest is right, the server says. */
import type { Json, JsonSchema, JsonSchemaNode } from 'toolwright'
import type { FieldIssue } from '../../../src/protocol/shown-content.ts'
import { type FieldShape, fieldShape } from './field-kind.ts'
import { isJsonObject, optionOf } from './fit-of.ts'
import type { Path } from './path.ts'

interface Place {
  readonly root: JsonSchema
  readonly path: Path
}

export const needed = (path: Path): FieldIssue => ({ path, message: 'This is needed.' })

export const missingValues = (schema: JsonSchema, value: Json | undefined): readonly FieldIssue[] =>
  missingAt(schema, value, { root: schema, path: [] })

function missingAt(
  node: JsonSchemaNode | undefined,
  value: Json | undefined,
  { root, path }: Place,
): readonly FieldIssue[] {
  const shape = fieldShape(node, root)
  const { kind } = shape
  if (isMissing(shape, value)) return [needed(path)]
  if (kind.kind === 'array' && Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((item, index) =>
      missingAt(kind.items, item, { root, path: [...path, index] }),
    )
  }
  if (kind.kind === 'union') {
    const option = kind.options[optionOf(value, kind.options, root)]
    return option ? missingAt(option.schema, value, { root, path }) : []
  }
  if (kind.kind !== 'object' || !isJsonObject(value)) return []
  return kind.properties.flatMap(({ name, node: inside, isRequired }) => {
    const held = Object.hasOwn(value, name) ? value[name] : undefined
    if (held === undefined && !isRequired) return []
    return missingAt(inside, held, { root, path: [...path, name] })
  })
}

/** Lists have null where nothing was typed yet. */
function isMissing({ schema, kind, isNullable }: FieldShape, value: Json | undefined): boolean {
  if (value === undefined) return schema.default === undefined
  if (value === '') return kind.kind === 'text' && (schema.minLength ?? 0) > 0
  return value === null && !isNullable && ['text', 'number', 'boolean'].includes(kind.kind)
}
