/**
 * From a prompt to the body of one Responses API request, as JSON text put together from parts that were made
 * before. Nothing is kept at the provider: the whole conversation is sent, encrypted thoughts included.
 */
import type { Json, JsonObject } from '../../messages/json.ts'
import type { ChatOptions, ModelCapabilities, ToolChoice } from '../../model/chat-model.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import type { WireQuestion } from '../wire/chat-dialect.ts'
import { headCache } from '../wire/head-cache.ts'
import { LoweredSchemas } from '../wire/lowered-schemas.ts'
import { toolSchema, type ToolSchema } from '../wire/tool-schema.ts'
import { toolWireCache } from '../wire/tool-wire-cache.ts'
import { wellFormedJson } from '../wire/well-formed-json.ts'
import { fieldsIn } from '../wire/wire-value.ts'
import { messagesToWire } from './to-wire-messages.ts'
import {
  PROVIDER,
  type SentFormat,
  type SentParameters,
  type SentTool,
  type SentChoice,
} from './wire-types.ts'

/** What OpenAI calls strict: every property required, an optional one null instead, objects closed. */
export const OUTPUT_SCHEMAS = new LoweredSchemas('openai-strict')

/** `topK`, `stopSequences` and `seed` have no place in this API. */
export function toWire(question: WireQuestion): string {
  const head = toHead(question)
  if ('input' in ownOf(question)) return `${head}}`
  return `${head},"input":${messagesToWire(question.messages)}}`
}

const ownOf = ({ options }: WireQuestion): JsonObject => options.providerOptions?.[PROVIDER] ?? {}

const toHead = headCache((question) => {
  const { options, capabilities } = question
  const own = ownOf(question)
  const { tools: ownTools, include: ownInclude, text: ownText, ...rest } = own
  const tools = toToolList(question, ownTools, capabilities)
  const settings = wellFormedJson({
    ...toParameters(question, tools !== undefined),
    text: toText(options, ownText),
    include: toInclude(own, ownInclude, capabilities),
    ...rest,
  })
  return settings.slice(0, -1) + (tools === undefined ? '' : `,"tools":${tools}`)
})

function toParameters(question: WireQuestion, hasTools: boolean): SentParameters {
  const { model, options, stream } = question
  return {
    model,
    max_output_tokens: options.maxTokens,
    temperature: options.temperature,
    top_p: options.topP,
    ...(hasTools && {
      tool_choice: options.toolChoice && toToolChoice(options.toolChoice),
      parallel_tool_calls: options.parallelToolCalls,
    }),
    store: false,
    stream: stream || undefined,
  }
}

/** Thoughts come encrypted where the provider does not store them, besides what the caller wants to see. */
function toInclude(
  { store }: JsonObject,
  wanted: Json | undefined,
  { reasoning }: ModelCapabilities,
): Json | undefined {
  if (!reasoning || store === true || (wanted !== undefined && !Array.isArray(wanted)))
    return wanted
  return [...new Set([...((wanted ?? []) as readonly Json[]), ENCRYPTED])]
}

const ENCRYPTED = 'reasoning.encrypted_content'

function toText({ outputSchema }: ChatOptions, own: Json | undefined): unknown {
  if (outputSchema === undefined) return own
  return { format: toFormat(outputSchema), ...fieldsIn(own) }
}

/** Without `strict` the model keeps to the schema as well as it can. */
function toFormat(schema: JsonSchema): SentFormat {
  const strict = OUTPUT_SCHEMAS.lower(schema)
  const common = { type: 'json_schema', name: 'answer' } as const
  return { ...common, schema: strict ?? schema, strict: strict !== undefined }
}

function toToolChoice(choice: ToolChoice): SentChoice {
  if (typeof choice === 'string') return choice
  return { type: 'function', name: choice.tool }
}

/** How a model takes tools: held to their schemas, or not. */
const LANGUAGES = { strict: 'openai-strict', loose: 'openai' } as const

const languageOf = ({ strictTools }: ModelCapabilities): keyof typeof LANGUAGES =>
  strictTools ? 'strict' : 'loose'

export function inputSchema(
  definition: ToolDefinition,
  capabilities: ModelCapabilities,
): ToolSchema {
  return toolSchema(definition, LANGUAGES[languageOf(capabilities)])
}

const DEFINITIONS = {
  strict: toolWireCache((definition) => toTool(definition, 'strict')),
  loose: toolWireCache((definition) => toTool(definition, 'loose')),
}
const DEFERRED = {
  strict: toolWireCache((definition) => ({ ...toTool(definition, 'strict'), defer_loading: true })),
  loose: toolWireCache((definition) => ({ ...toTool(definition, 'loose'), defer_loading: true })),
}

/** Searches what is deferred, on OpenAI's side. */
const SEARCH_TOOL = '{"type":"tool_search"}'

/** Tools of the provider itself, such as web search, are given by its own options and follow ours. */
function toToolList(
  { tools, options }: WireQuestion,
  own: Json | undefined,
  capabilities: ModelCapabilities,
): string | undefined {
  const language = languageOf(capabilities)
  const deferred = new Set(options.deferredTools)
  const isDeferred = ({ definition }: ToolCallback): boolean => deferred.has(definition.name)
  const lists =
    deferred.size === 0
      ? [DEFINITIONS[language](tools)]
      : [
          DEFINITIONS[language](tools.filter((tool) => !isDeferred(tool))),
          DEFERRED[language](tools.filter(isDeferred)),
          `[${SEARCH_TOOL}]`,
        ]
  if (Array.isArray(own)) lists.push(wellFormedJson(own))
  const filled = lists.map((list) => list.slice(1, -1)).filter((list) => list !== '')
  return filled.length === 0 ? undefined : `[${filled.join(',')}]`
}

function toTool(definition: ToolDefinition, language: keyof typeof LANGUAGES): object {
  const { schema, isStrict } = toolSchema(definition, LANGUAGES[language])
  const tool: SentTool = {
    type: 'function',
    name: definition.name,
    description: definition.description || undefined,
    parameters: schema,
    strict: isStrict,
  }
  return { ...tool, ...definition.providerOptions?.[PROVIDER] }
}
