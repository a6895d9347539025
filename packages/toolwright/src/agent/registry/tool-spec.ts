/** Reads a tool's schema: its name, who runs it, its constants, and the schema of its result. */
import { AgentError } from '../../errors/errors.ts'
import type { Json } from '../../messages/json.ts'
import { describeValue } from '../../schema/describe-value.ts'
import { has, isObject, type JsonObject } from '../../schema/json-object.ts'
import type { JsonSchema, JsonSchemaNode } from '../../schema/json-schema.ts'
import type { Call, ToolSchema } from '../agent-message.ts'
import { checkOutputPath } from '../context/data-path.ts'

/** Meta fields that say who runs a tool. The model never sees them and cannot set them. */
const ROUTING: readonly string[] = ['_activity', '_delegate']
/** Meta fields that a tool may set to a constant. */
const FIXABLE = ['_outputPath', '_instance', '_scopes', '_outputMethod']

export interface ToolSpec {
  readonly name: string
  /** The author's schema in normal form, including `_output`. */
  readonly schema: JsonSchema
  /** The empty string: latent, whatever is registered. */
  readonly activity?: string
  readonly delegate?: string
  /** Values of meta fields that override the model's. */
  readonly constants: { readonly [field: string]: Json }
  /** The schema of the result. */
  readonly output?: JsonSchemaNode
}

const specs = new WeakMap<object, Map<string | undefined, ToolSpec>>()

/** Lets a copy of a schema count as the schema itself. */
export function shareSpecs(schema: ToolSchema, copy: ToolSchema): void {
  specs.set(copy, specs.get(schema)!)
}

/** Reads a schema, once per name. `name` is the key of the schema in its map, if it has one. */
export function toolSpec(schema: ToolSchema, name?: string): ToolSpec {
  if (!isObject(schema))
    throw toolError(name, `is ${describeValue(schema)}, not a JSON Schema of an object`)
  let byName = specs.get(schema)
  if (!byName) specs.set(schema, (byName = new Map<string | undefined, ToolSpec>()))
  let spec = byName.get(name)
  if (!spec) byName.set(name, (spec = readSpec(schema as JsonObject, name)))
  return spec
}

function readSpec(authored: JsonObject, key: string | undefined): ToolSpec {
  const { type = has(authored, 'properties') ? 'object' : undefined } = authored
  if (type !== 'object')
    throw toolError(
      key,
      `has type ${describeValue(type)}; a tool is a JSON Schema of type "object"`,
    )
  const properties = authored.properties ?? {}
  if (!isObject(properties)) throw toolError(key, 'has properties that are no object')
  const name = nameOf(properties, key)
  const { _activity: activity, _delegate: delegate } = routingOf(authored, properties, name)
  const schema = normalSchema(authored, properties)
  const visible = schema.properties as JsonObject
  checkRequired(schema, name)
  const spec: ToolSpec = {
    name,
    schema,
    constants: constantsOf(visible, name),
    ...(activity !== undefined && { activity }),
    ...(delegate !== undefined && { delegate }),
    ...(has(visible, '_output') && { output: visible._output as JsonSchemaNode }),
  }
  checkRouting(spec)
  return spec
}

function nameOf(properties: JsonObject, key: string | undefined): string {
  const declaredName = isObject(properties._tool) ? properties._tool.const : properties._tool
  if (declaredName !== undefined && typeof declaredName !== 'string')
    throw toolError(key, `has _tool ${describeValue(declaredName)}; its const is the name`)
  const name = key ?? declaredName
  if (!name?.trim())
    throw toolError(key, 'has no name: put it in a map, or set properties._tool.const')
  if (declaredName !== undefined && declaredName !== name)
    throw toolError(
      key,
      `calls itself "${declaredName}" in properties._tool.const; the two must agree`,
    )
  return name
}

type Routing = { readonly [field in '_activity' | '_delegate']?: string }

/** Reads the routing fields, each given as a constant, a plain string, or a string at the top of the tool. */
function routingOf(authored: JsonObject, properties: JsonObject, name: string): Routing {
  const routing: { [field: string]: string } = {}
  for (const field of ROUTING) {
    const inside = properties[field]
    const value = inside === undefined ? authored[field] : isObject(inside) ? inside.const : inside
    if (value === undefined && inside === undefined) continue
    if (typeof value !== 'string')
      throw toolError(name, `has a ${field} that is no constant; only the tool says who runs it`)
    routing[field] = value
  }
  return routing
}

/**
 * The schema that a model may see: without routing fields, and with shorthand constants written out. Most
 * schemas already have this form and are returned as they are.
 */
function normalSchema(authored: JsonObject, properties: JsonObject): JsonSchema {
  const isNormal =
    authored.type === 'object' &&
    authored.properties !== undefined &&
    Object.keys(authored).every(isParameter) &&
    Object.keys(properties).every(
      (field) =>
        isParameter(field) || !(ROUTING.includes(field) || isShorthand(field, properties[field])),
    )
  if (isNormal) return authored
  const keywords = Object.entries(authored).filter(([keyword]) => isParameter(keyword))
  const { required, ...rest } = Object.fromEntries(keywords)
  return {
    ...rest,
    type: 'object',
    properties: shownProperties(authored, properties),
    ...(required !== undefined && { required: withoutRouting(required) }),
  } as JsonSchema
}

const withoutRouting = (required: unknown): unknown =>
  Array.isArray(required) ? required.filter((field: string) => !ROUTING.includes(field)) : required

function shownProperties(authored: JsonObject, properties: JsonObject): JsonObject {
  const top = FIXABLE.filter((field) => authored[field] !== undefined && !has(properties, field))
  const inside = Object.entries(properties).filter(([field]) => !ROUTING.includes(field))
  return Object.fromEntries([
    ...inside.map(([field, node]) => [field, isShorthand(field, node) ? { const: node } : node]),
    ...top.map((field) => [field, { const: authored[field] }]),
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
  if (problem) throw toolError(name, `has _outputPath ${describeValue(path)}: ${problem}`)
  if (
    scopes !== undefined &&
    !(Array.isArray(scopes) && scopes.every((kind) => typeof kind === 'string'))
  )
    throw toolError(name, `has _scopes ${describeValue(scopes)}; it takes a list of kinds`)
  return constants
}

function checkRequired({ required, properties = {} }: JsonSchema, name: string): void {
  if (required === undefined) return
  if (!Array.isArray(required)) throw toolError(name, 'has a required that is no list')
  const missing = (required as readonly unknown[]).find(
    (field) =>
      typeof field === 'string' && /^_/.test(field) && !has(properties, field) && field !== '_tool',
  )
  if (missing !== undefined)
    throw toolError(name, `requires ${describeValue(missing)}, which its properties do not define`)
}

function checkRouting({ name, activity, delegate, output }: ToolSpec): void {
  if (delegate === undefined) return
  if (delegate === '') throw toolError(name, 'has an empty _delegate')
  if (activity && delegate !== 'anonymous')
    throw toolError(
      name,
      `has the activity "${activity}" and the delegate "${delegate}"; it takes one of them`,
    )
  if (delegate === 'anonymous' && !activity && output === undefined)
    throw toolError(
      name,
      'is delegated to "anonymous" and says with no _output what should come back',
    )
}

/** The schema of a tool's result, including the definitions that it may refer to. */
export function outputOf({ schema, output }: ToolSpec): JsonSchema {
  const { $defs, definitions } = schema
  const node: JsonSchemaNode = output ?? {}
  return {
    ...($defs && { $defs }),
    ...(definitions && { definitions }),
    ...(isObject(node) && node),
  }
}

/** Whether a property is a parameter: it has no leading underscore. */
export const isParameter = (field: string): boolean => !field.startsWith('_')

/** The parameters of a call, without its meta fields. */
export const parametersOf = (call: Call): JsonObject =>
  Object.fromEntries(Object.entries(call).filter(([field]) => isParameter(field)))

const toolError = (name: string | undefined, problem: string): AgentError =>
  new AgentError('agent-tool', `Tool "${name ?? '(unnamed)'}" ${problem}.`)
