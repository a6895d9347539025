/** A tool's schema, read: its name, who runs it, what is fixed, what it takes and what it gives. */
import { AgentError } from '../../errors/errors.ts'
import type { Json } from '../../messages/json.ts'
import { describeValue } from '../../schema/describe-value.ts'
import { has, isObject, type JsonObject } from '../../schema/json-object.ts'
import type { JsonSchema, JsonSchemaNode } from '../../schema/json-schema.ts'
import type { ToolSchema } from '../agent-message.ts'
import { checkOutputPath } from '../context/data-path.ts'

/** Meta fields that say who runs a tool; never shown to a model, never taken from one. */
const ROUTING: readonly string[] = ['_activity', '_delegate']
/** Meta fields whose value may be fixed by the tool. */
const FIXABLE = ['_outputPath', '_instance', '_scopes', '_outputMethod']

export interface ToolSpec {
  readonly name: string
  /** The author's schema in its normal form, `_output` included. */
  readonly schema: JsonSchema
  /** `''`: latent whatever is registered. */
  readonly activity?: string
  readonly delegate?: string
  /** Values of meta fields that win over the model's. */
  readonly constants: { readonly [field: string]: Json }
  /** What the result must be. */
  readonly output?: JsonSchemaNode
}

const specs = new WeakMap<object, Map<string | undefined, ToolSpec>>()

/** Reads a schema once per name. `name` is the key it stands under, if it stands under one. */
export function toolSpec(schema: ToolSchema, name?: string): ToolSpec {
  if (!isObject(schema))
    throw invalid(name, `is ${describeValue(schema)}, not a JSON Schema of an object`)
  let byName = specs.get(schema)
  if (!byName) specs.set(schema, (byName = new Map<string | undefined, ToolSpec>()))
  let spec = byName.get(name)
  if (!spec) byName.set(name, (spec = readSpec(schema as JsonObject, name)))
  return spec
}

function readSpec(given: JsonObject, key: string | undefined): ToolSpec {
  const { type = has(given, 'properties') ? 'object' : undefined } = given
  if (type !== 'object')
    throw invalid(key, `has type ${describeValue(type)}; a tool is a JSON Schema of type "object"`)
  const properties = given.properties ?? {}
  if (!isObject(properties)) throw invalid(key, 'has properties that are no object')
  const name = nameOf(properties, key)
  const { _activity: activity, _delegate: delegate } = routingOf(given, properties, name)
  const schema = normalSchema(given, properties)
  const shown = schema.properties as JsonObject
  checkRequired(schema, name)
  const spec: ToolSpec = {
    name,
    schema,
    constants: constantsOf(shown, name),
    ...(activity !== undefined && { activity }),
    ...(delegate !== undefined && { delegate }),
    ...(has(shown, '_output') && { output: shown._output as JsonSchemaNode }),
  }
  checkRouting(spec)
  return spec
}

function nameOf(properties: JsonObject, key: string | undefined): string {
  const own = isObject(properties._tool) ? properties._tool.const : properties._tool
  if (own !== undefined && typeof own !== 'string')
    throw invalid(key, `has _tool ${describeValue(own)}; its const is the name`)
  const name = key ?? own
  if (!name?.trim())
    throw invalid(key, 'has no name: put it in a map, or set properties._tool.const')
  if (own !== undefined && own !== name)
    throw invalid(key, `calls itself "${own}" in properties._tool.const; the two must agree`)
  return name
}

type Routing = { readonly [field in '_activity' | '_delegate']?: string }

/** A constant, a plain string, or a string at the top. */
function routingOf(given: JsonObject, properties: JsonObject, name: string): Routing {
  const found: { [field: string]: string } = {}
  for (const field of ROUTING) {
    const inside = properties[field]
    const value = inside === undefined ? given[field] : isObject(inside) ? inside.const : inside
    if (value === undefined && inside === undefined) continue
    if (typeof value !== 'string')
      throw invalid(name, `has a ${field} that is no constant; only the tool says who runs it`)
    found[field] = value
  }
  return found
}

/** The schema as a model may see it: routing left out, shorthand constants written out. Most are so already. */
function normalSchema(given: JsonObject, properties: JsonObject): JsonSchema {
  const isNormal =
    given.type === 'object' &&
    given.properties !== undefined &&
    Object.keys(given).every(isParameter) &&
    Object.keys(properties).every(
      (field) =>
        isParameter(field) || !(ROUTING.includes(field) || isShorthand(field, properties[field])),
    )
  if (isNormal) return given
  const keywords = Object.entries(given).filter(([keyword]) => isParameter(keyword))
  const { required, ...rest } = Object.fromEntries(keywords)
  return {
    ...rest,
    type: 'object',
    properties: shownProperties(given, properties),
    ...(required !== undefined && { required: withoutRouting(required) }),
  } as JsonSchema
}

const withoutRouting = (required: unknown): unknown =>
  Array.isArray(required) ? required.filter((field: string) => !ROUTING.includes(field)) : required

function shownProperties(given: JsonObject, properties: JsonObject): JsonObject {
  const top = FIXABLE.filter((field) => given[field] !== undefined && !has(properties, field))
  const inside = Object.entries(properties).filter(([field]) => !ROUTING.includes(field))
  return Object.fromEntries([
    ...inside.map(([field, node]) => [field, isShorthand(field, node) ? { const: node } : node]),
    ...top.map((field) => [field, { const: given[field] }]),
  ])
}

const isShorthand = (field: string, node: unknown): boolean =>
  field.startsWith('_') && (typeof node === 'string' || Array.isArray(node))

function constantsOf(properties: JsonObject, name: string): { readonly [field: string]: Json } {
  const constants: { [field: string]: Json } = {}
  for (const field of FIXABLE) {
    const node = properties[field]
    if (isObject(node) && node.const !== undefined) constants[field] = node.const as Json
  }
  const { _outputPath: path, _scopes: scopes } = constants
  const problem = path === undefined ? undefined : checkOutputPath(path)
  if (problem) throw invalid(name, `has _outputPath ${describeValue(path)}: ${problem}`)
  if (
    scopes !== undefined &&
    !(Array.isArray(scopes) && scopes.every((kind) => typeof kind === 'string'))
  )
    throw invalid(name, `has _scopes ${describeValue(scopes)}; it takes a list of kinds`)
  return constants
}

function checkRequired({ required, properties = {} }: JsonSchema, name: string): void {
  if (required === undefined) return
  if (!Array.isArray(required)) throw invalid(name, 'has a required that is no list')
  const missing = (required as readonly unknown[]).find(
    (field) =>
      typeof field === 'string' && /^_/.test(field) && !has(properties, field) && field !== '_tool',
  )
  if (missing !== undefined)
    throw invalid(name, `requires ${describeValue(missing)}, which its properties do not define`)
}

function checkRouting({ name, activity, delegate, output }: ToolSpec): void {
  if (delegate === undefined) return
  if (delegate === '') throw invalid(name, 'has an empty _delegate')
  if (activity && delegate !== 'anonymous')
    throw invalid(
      name,
      `has the activity "${activity}" and the delegate "${delegate}"; it takes one of them`,
    )
  if (delegate === 'anonymous' && !activity && output === undefined)
    throw invalid(
      name,
      'is delegated to "anonymous" and says with no _output what should come back',
    )
}

/** The schema of a tool's result, with the definitions it may refer to. */
export function outputOf({ schema, output }: ToolSpec): JsonSchema {
  const { $defs, definitions } = schema
  const node: JsonSchemaNode = output ?? {}
  return {
    ...($defs && { $defs }),
    ...(definitions && { definitions }),
    ...(isObject(node) && node),
  }
}

/** Whether a property is a parameter: whatever has no leading underscore. */
export const isParameter = (field: string): boolean => !field.startsWith('_')

const invalid = (name: string | undefined, problem: string): AgentError =>
  new AgentError('agent-tool', `Tool "${name ?? '(unnamed)'}" ${problem}.`)
