/**
 * Composes tools and the wanted output into one schema for the model: `{ meta, calls, output }`. The
 * function is pure, and its results are cached per set of tools. A latent tool keeps its `_output`, because
 * the model writes it; any other tool loses it.
 */
import { notice } from '../../errors/notices.ts'
import { checkOptions } from '../../internal/check-options.ts'
import type { Json } from '../../messages/json.ts'
import { isObject } from '../../schema/json-object.ts'
import type { JsonSchema, JsonSchemaNode } from '../../schema/json-schema.ts'
import { isStandardSchema } from '../../schema/standard-schema.ts'
import { toJsonSchema } from '../../schema/to-json-schema.ts'
import type { SchemaSource } from '../../tools/tool.ts'
import type { AgentMessage, AgentNotice, ToolDefinitionMessage } from '../agent-message.ts'
import {
  defaultRegistry,
  type AgentRegistry,
  type RegistrySnapshot,
} from '../registry/agent-registry.ts'
import { collectTools, type CollectedTool } from './collect-tools.ts'
import type { Composed, ComposedTool } from './composed.ts'
import { ComposedCache } from './composed-cache.ts'
import { DataStore } from '../context/data-store.ts'
import { embeddedSchema } from './embedded-schema.ts'
import { nullableSchema } from './nullable-schema.ts'
import { offerData, REFERENCE } from './offer-data.ts'
import { readContext, type Entry } from '../context/read-message.ts'
import { strictSchema } from './strict-schema.ts'
import { isParameter, type ToolSpec } from '../registry/tool-spec.ts'

export interface CompositionOptions {
  /** Whether the model states a reason for each call in `_reasoningForCall`. Default `off`. */
  readonly reasoning?: 'off' | 'optional' | 'required'
  /**
   * Allows a `†` reference for every parameter, even if its schema does not allow a string. Default false.
   */
  readonly variables?: boolean
  /** Makes every property required, for providers whose structured output demands it. Default false. */
  readonly strict?: boolean
  /** Describes `meta` to the model. */
  readonly metaDescription?: string
  /** What to do if an `_activity` is not registered. Default `latent`, with a notice. */
  readonly missingActivity?: 'latent' | 'error'
}

export interface ComposeSchemaOptions extends CompositionOptions {
  /** The schema of the final result. Without one, the composed schema has no `output`. */
  readonly output?: SchemaSource
  /** Its tool messages are composed; its data messages define the instances. */
  readonly context: readonly AgentMessage[]
  /** Default: that of `Tool.register` and `Activity.register`. */
  readonly registry?: AgentRegistry
  /** Receives what is worth knowing about the tools, such as an activity that is missing. */
  readonly onNotice?: (notice: AgentNotice) => void
}

export const COMPOSITION_OPTIONS = [
  'reasoning', 'variables', 'strict', 'metaDescription', 'missingActivity',
] as const satisfies readonly (keyof CompositionOptions)[] // prettier-ignore

/**
 * Composes the schema that a model gets.
 *
 * @example
 * composeSchema({ output: { type: 'string' }, context: [{ type: 'tool', tool: { greetUser } }] })
 */
export function composeSchema(options: ComposeSchemaOptions): JsonSchema {
  checkOptions('composeSchema()', options, [
    'output',
    'context',
    'registry',
    'onNotice',
    ...COMPOSITION_OPTIONS,
  ])
  const { output, context, registry = defaultRegistry(), onNotice, ...rest } = options
  const entries = readContext(context)
  const composed = compose({ ...rest, output, entries, registry: registry.snapshot() })
  composed.notices.forEach((notice) => onNotice?.(notice))
  const { strict = false } = rest
  const hasData = entries.some(({ type }) => type === 'data')
  return (hasData ? offerData(composed, { isHeld: strict, strict }) : composed).sent
}

export interface ComposeRequest extends CompositionOptions {
  readonly output: SchemaSource | undefined
  readonly entries: readonly Entry[]
  readonly registry: RegistrySnapshot
  /** Tools that come before those of the context. */
  readonly offered?: readonly ToolDefinitionMessage['tool'][]
  /** False: the model may make no more calls. Default true. */
  readonly calls?: boolean
}

const cache = new ComposedCache<Composed>()

export function compose(request: ComposeRequest): Composed {
  const { entries, registry, output, offered = [] } = request
  const inContext = entries.flatMap((entry) => (entry.type === 'tool' ? [entry.tool] : []))
  const definitions = request.calls === false ? [] : [...offered, ...inContext]
  const { instances } = new DataStore(entries)
  const meta = entries.findLast((entry) => entry.type === 'meta')?.meta ?? {}
  const { reasoning, variables, strict, metaDescription, missingActivity } = request
  const settings = {
    reasoning,
    variables,
    strict,
    metaDescription,
    missingActivity,
    instances,
    meta,
  }
  const key = JSON.stringify({ ...settings, meta: Object.keys(meta) })
  return cache.get([registry, output ?? 'none', ...definitions], key, () =>
    composeAnew({ ...settings, definitions, registry, output }),
  )
}

interface Composition extends CompositionOptions {
  readonly definitions: readonly ToolDefinitionMessage['tool'][]
  readonly registry: RegistrySnapshot
  readonly output: SchemaSource | undefined
  readonly instances: readonly string[]
  readonly meta: { readonly [field: string]: Json | undefined }
}

function composeAnew(composition: Composition): Composed {
  const { definitions, registry, output, strict = false, missingActivity = 'latent' } = composition
  const notices: AgentNotice[] = []
  const onNotice = (each: AgentNotice): void => void notices.push(each)
  const collected = collectTools(definitions, { registry, missingActivity, onNotice })
  const hoisted: { [name: string]: JsonSchemaNode } = {}
  const tools = collected.map((tool, index) => {
    if (tool.execution.kind !== 'latent' && !describesResult(tool.spec))
      onNotice(undescribedNotice(tool.spec))
    const place = `#/properties/calls/items${collected.length > 1 ? `/anyOf/${index}` : ''}`
    const embedding = { owner: tool.spec.name, place, definitions: hoisted }
    return { ...tool, item: embeddedSchema(itemOf(tool, composition), embedding) }
  })
  const answer = output === undefined ? undefined : outputSchema(output, hoisted)
  const schema = rootSchema(metaSchema(composition), { tools, answer, hoisted })
  return {
    schema,
    sent: strict ? strictSchema(schema) : schema,
    tools: new Map(tools.map((tool) => [tool.spec.name, tool])),
    instances: composition.instances,
    notices,
  }
}

interface RootParts {
  readonly tools: readonly ComposedTool[]
  readonly answer: JsonSchema | undefined
  readonly hoisted: { readonly [name: string]: JsonSchemaNode }
}

function rootSchema(meta: JsonSchema, { tools, answer, hoisted }: RootParts): JsonSchema {
  const [first] = tools
  const items = tools.length > 1 ? { anyOf: tools.map((tool) => tool.item) } : first?.item
  return {
    type: 'object',
    properties: {
      meta,
      ...(answer && { output: answer }),
      ...(items && { calls: { type: 'array', items } }),
    },
    required: ['meta', ...(items ? ['calls'] : []), ...(answer ? ['output'] : [])],
    ...(Object.keys(hoisted).length > 0 && { $defs: hoisted }),
  }
}

function outputSchema(
  output: SchemaSource,
  hoisted: { [name: string]: JsonSchemaNode },
): JsonSchema {
  // A plain schema is used as it is; only a library's schema has to be converted.
  const { $schema: _dialect, ...plain } = isStandardSchema(output)
    ? toJsonSchema(output)
    : checkedSchema(output)
  const nullable = nullableSchema(plain)
  const isWrapped = nullable.anyOf !== undefined && nullable.anyOf !== plain.anyOf
  const place = `#/properties/output${isWrapped ? '/anyOf/0' : ''}`
  const embedded = embeddedSchema(plain, { owner: 'output', place, definitions: hoisted })
  return nullableSchema(embedded)
}

/** Rejects what is not a schema, with the error that every schema check uses. */
function checkedSchema(output: JsonSchema): JsonSchema {
  toJsonSchema(output, { io: 'output' })
  return output
}

const META_DESCRIPTION =
  'What identifies the idea at hand. Move its version on whenever you answer, for example by raising its last number.'

function metaSchema({ meta, metaDescription = META_DESCRIPTION }: Composition): JsonSchema {
  const others = Object.entries(meta).filter(([field]) => field !== 'path' && field !== 'version')
  return {
    type: 'object',
    description: metaDescription,
    properties: {
      path: { type: 'string' },
      version: { type: 'string' },
      ...Object.fromEntries(others.map(([field, value]) => [field, schemaLike(value)])),
    },
  }
}

/** The schema that describes values of the same type as this one. */
function schemaLike(value: Json | undefined): JsonSchemaNode {
  if (Array.isArray(value))
    return { type: 'array', ...(value.length > 0 && { items: schemaLike(value[0]) }) }
  return value === null || value === undefined ? {} : { type: typeof value as 'string' | 'object' }
}

const REASONING: JsonSchema = {
  type: 'string',
  description: 'Why you make this call, in one sentence',
}

/** A tool as the model sees it. */
function itemOf({ spec, execution }: CollectedTool, composition: Composition): JsonSchema {
  const { reasoning = 'off', instances } = composition
  const { type, title, description, properties = {}, required = [], ...others } = spec.schema
  const isHidden = execution.kind !== 'latent'
  const requiredFields = [
    '_tool',
    ...(reasoning === 'required' ? ['_reasoningForCall'] : []),
    ...required,
  ]
  const shownFields: { [field: string]: JsonSchemaNode } = {
    _tool: properties._tool ?? { const: spec.name },
  }
  if (reasoning !== 'off') shownFields._reasoningForCall = REASONING
  for (const field of Object.keys(properties)) {
    if (field === '_tool' || (isHidden && field === '_output')) continue
    shownFields[field] = shownField(field, properties[field]!, composition)
  }
  if (instances.length > 0) shownFields._instance ??= { type: 'string', enum: instances }
  return {
    type,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...others,
    properties: shownFields,
    required: [
      ...new Set(isHidden ? requiredFields.filter((field) => field !== '_output') : requiredFields),
    ],
  }
}

const shownField = (
  field: string,
  node: JsonSchemaNode,
  { variables }: Composition,
): JsonSchemaNode =>
  variables && isParameter(field) && isObject(node) ? { anyOf: [node, REFERENCE] } : node

const RESULT_WORDS =
  /return|result|output|respon|answer|gives|yields|возвра|результат|выда[её]т|ответ/i

/** Whether the description tells the model what the tool returns, since it does not see `_output`. */
function describesResult({ schema, output }: ToolSpec): boolean {
  if (output === undefined) return true
  const { description = '' } = schema
  const fields =
    isObject(output) && isObject(output.properties) ? Object.keys(output.properties) : []
  return RESULT_WORDS.test(description) || fields.some((field) => description.includes(field))
}

const undescribedNotice = ({ name }: ToolSpec): AgentNotice =>
  notice(
    'agent-undescribed-result',
    `Tool "${name}" is run by code, so the model does not see its _output; its description does not say what it returns.`,
    { tool: name },
  )
