/** The parameters of a schema, each with all that is said of it, in the order of the form. */
import type { Json, JsonSchema, JsonSchemaNode } from 'toolwright'
import { type FieldKind, fieldShape } from '../form/field-kind.ts'
import { typeText } from '../form/type-text.ts'

export interface ParameterRow {
  /** `address.street`, `lines[]`. Empty: the whole. */
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  readonly default?: Json
  readonly allowed: readonly string[]
}

/** A schema may contain itself. */
const DEEPEST = 5

export function parameterRows(schema: JsonSchema): readonly ParameterRow[] {
  const { kind } = fieldShape(schema, schema)
  const whole = { node: schema, name: '', isRequired: true }
  return kind.kind === 'object' ? rowsInside(whole, schema, 0) : rowsOf(whole, schema, 0)
}

interface Place {
  readonly node: JsonSchemaNode
  readonly name: string
  readonly isRequired: boolean
}

function rowsOf(place: Place, root: JsonSchema, depth: number): readonly ParameterRow[] {
  const shape = fieldShape(place.node, root)
  const { schema } = shape
  return [
    {
      name: place.name,
      type: typeText(shape),
      isRequired: place.isRequired,
      description: [schema.title, schema.description].filter(Boolean).join('. '),
      ...(schema.default === undefined ? {} : { default: schema.default }),
      allowed: allowedOf(shape.kind),
    },
    ...rowsInside(place, root, depth),
  ]
}

function rowsInside(place: Place, root: JsonSchema, depth: number): readonly ParameterRow[] {
  if (depth >= DEEPEST) return []
  const { kind } = fieldShape(place.node, root)
  return insideOf(place.name, kind).flatMap((inside) => rowsOf(inside, root, depth + 1))
}

function insideOf(name: string, kind: FieldKind): readonly Place[] {
  const dot = name === '' ? '' : `${name}.`
  switch (kind.kind) {
    case 'object':
      return [
        ...kind.properties.map((each) => ({ ...each, name: `${dot}${each.name}` })),
        ...(kind.more === undefined || Object.keys(kind.more).length === 0
          ? []
          : [{ node: kind.more, name: `${dot}*`, isRequired: false }]),
      ]
    case 'array':
      return fieldIsPlain(kind.items)
        ? []
        : [{ node: kind.items, name: `${name}[]`, isRequired: true }]
    case 'union':
      return kind.options.map(({ label, schema }) => ({
        node: schema,
        name: `${name} (${label})`.trim(),
        isRequired: false,
      }))
    default:
      return []
  }
}

/** Nothing is said of it. */
const fieldIsPlain = (node: JsonSchemaNode): boolean =>
  typeof node !== 'object' || Object.keys(node).length === 0

function allowedOf(kind: FieldKind): readonly string[] {
  if (kind.kind === 'const') return [JSON.stringify(kind.value)]
  return kind.kind === 'choice' ? kind.options.map(({ value }) => JSON.stringify(value)) : []
}
