/** The texts of a tool, by field. Every index searches these. */
import { isObject } from '../schema/json-object.ts'
import type { ToolReference } from './tool-index.ts'

export interface ReferenceText {
  readonly name: string
  readonly description: string
  readonly parameterNames: string
  readonly parameterDescriptions: string
  /** The values that parameters may take. */
  readonly parameterValues: string
  readonly examples: string
}

const DEEPEST_SCHEMA = 8
/** A schema that refers to the same part many times is still read only this far. */
const MOST_NODES = 2_000

export function referenceText(reference: ToolReference): ReferenceText {
  const parts: SchemaText = { names: [], descriptions: [], values: [], nodes: 0 }
  collect(reference.inputSchema, parts, 0)
  return {
    name: reference.name,
    description: reference.description,
    parameterNames: parts.names.join(' '),
    parameterDescriptions: parts.descriptions.join('\n'),
    parameterValues: parts.values.join(' '),
    examples: (reference.examples ?? []).join('\n'),
  }
}

interface SchemaText {
  readonly names: string[]
  readonly descriptions: string[]
  readonly values: string[]
  nodes: number
}

function collect(schema: unknown, into: SchemaText, depth: number): void {
  if (!isObject(schema) || depth > DEEPEST_SCHEMA || ++into.nodes > MOST_NODES) return
  const { description, properties, items, enum: values, const: value } = schema
  if (depth > 0 && typeof description === 'string') into.descriptions.push(description)
  for (const each of Array.isArray(values) ? values : [value])
    if (typeof each === 'string') into.values.push(each)
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    into.names.push(name)
    collect(property, into, depth + 1)
  }
  collect(items, into, depth + 1)
  for (const inner of [schema.anyOf, schema.oneOf, schema.allOf].flat())
    collect(inner, into, depth + 1)
  for (const inner of Object.values(isObject(schema.$defs) ? schema.$defs : {}))
    collect(inner, into, depth + 1)
}
