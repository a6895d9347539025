/**
 * How well a value fits a schema while it is being typed: what is missing does not matter yet. It tells which form of a
 * union a value has; whether the value is right, the server says.
 */
import type { Json, JsonObject, JsonSchema, JsonSchemaNode } from 'toolwright'
import { fieldShape, type FieldKind } from './field-kind.ts'

/** Below zero: it does not. */
export const fitOf = (value: Json, node: JsonSchemaNode, root: JsonSchema): number =>
  fit(value, node, { root, unions: 0 })

interface Looking {
  readonly root: JsonSchema
  /** How many unions it came through without a step into the value: one may contain itself. */
  readonly unions: number
}

const MOST_UNIONS = 4

function fit(value: Json, node: JsonSchemaNode, { root, unions }: Looking): number {
  const { kind, isNullable } = fieldShape(node, root)
  if (value === null && isNullable) return 1
  switch (kind.kind) {
    case 'json':
      return 0
    case 'const':
      return isSame(value, kind.value) ? 3 : -1
    case 'choice':
      return kind.options.some((option) => isSame(option.value, value)) ? 2 : -1
    case 'boolean':
      return typeof value === 'boolean' ? 1 : -1
    case 'number':
      if (typeof value !== 'number') return -1
      return kind.isInteger ? (Number.isInteger(value) ? 2 : -1) : 1
    case 'text':
      return typeof value === 'string' ? 1 : -1
    case 'array':
      return Array.isArray(value)
        ? 1 + Math.min(0, ...value.slice(0, 3).map((item: Json) => fitOf(item, kind.items, root)))
        : -1
    case 'object':
      return isJsonObject(value) ? objectFit(value, kind, root) : -1
    case 'union':
      if (unions === MOST_UNIONS) return -1
      return Math.max(
        ...kind.options.map(({ schema }) => fit(value, schema, { root, unions: unions + 1 })),
      )
  }
}

/** The option that a value has; -1: none. */
export function optionOf(
  value: Json | undefined,
  options: readonly { readonly schema: JsonSchema }[],
  root: JsonSchema,
): number {
  if (value === undefined) return -1
  const fits = options.map(({ schema }) => fitOf(value, schema, root))
  const best = Math.max(...fits)
  return best < 0 ? -1 : fits.indexOf(best)
}

export const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b)

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A constant that differs rules it out; each name that both know speaks for it. */
function objectFit(
  value: JsonObject,
  { properties, more }: Extract<FieldKind, { readonly kind: 'object' }>,
  root: JsonSchema,
): number {
  let fit = 1
  for (const [name, each] of Object.entries(value)) {
    const property = properties.find((known) => known.name === name)
    if (!property) {
      fit -= more === undefined ? 0.5 : 0
      continue
    }
    const inside = fitOf(each, property.node, root)
    if (inside < 0) return -1
    fit += inside
  }
  return Math.max(0, fit)
}
