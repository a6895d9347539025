/**
 * From a prompt to the body of one Messages API request, as JSON text put together from parts that
 * were made before: the definitions of tools and the messages of earlier rounds cost nothing again.
 */
import type { Json, JsonObject } from '../../messages/json.ts'
import type { ChatOptions, ToolChoice } from '../../model/chat-model.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import type { WireQuestion } from '../wire/chat-dialect.ts'
import { headCache } from '../wire/head-cache.ts'
import { LoweredSchemas } from '../wire/lowered-schemas.ts'
import { toolSchema, type ToolSchema } from '../wire/tool-schema.ts'
import { toolWireCache } from '../wire/tool-wire-cache.ts'
import { wellFormedJson } from '../wire/well-formed-json.ts'
import { fieldsIn, isJsonObject } from '../wire/wire-value.ts'
import { messagesToWire, systemToWire } from './to-wire-messages.ts'
import { PROVIDER, type SentChoice, type SentSettings, type SentTool } from './wire-types.ts'

/** The API demands a limit. A thinking budget comes on top of this one. */
const DEFAULT_MAX_TOKENS = 8_192

/** What structured output takes: closed objects, no recursion, little that narrows. */
export const OUTPUT_SCHEMAS = new LoweredSchemas('anthropic-strict')

/** Tools are not strict unless one asks for it: many strict tools together are refused as too large. */
export function inputSchema(definition: ToolDefinition): ToolSchema {
  return toolSchema(definition, 'anthropic')
}

/** `seed` has no place in this API. */
export function toWire(question: WireQuestion): string {
  const { messages } = question
  const system = systemToWire(messages)
  const spoken = system === undefined ? '' : `,"system":${system}`
  return `${toHead(question)}${spoken},"messages":${messagesToWire(messages)}}`
}

const toHead = headCache((question) => {
  const own = question.options.providerOptions?.[PROVIDER] ?? {}
  const tools = toToolList(question, own['tools'])
  const settings = wellFormedJson(toSettings(question, own, tools !== undefined))
  return settings.slice(0, -1) + (tools === undefined ? '' : `,"tools":${tools}`)
})

/** Everything short. What the caller gave for this provider wins, field by field. */
function toSettings(question: WireQuestion, own: JsonObject, hasTools: boolean): SentSettings {
  const { options } = question
  const { tools: _tools, output_config: ownOutput, ...rest } = own
  const settings: SentSettings & { readonly output_config: unknown } = {
    model: question.model,
    max_tokens: options.maxTokens ?? DEFAULT_MAX_TOKENS + thinkingBudget(own['thinking']),
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK,
    stop_sequences: options.stopSequences,
    tool_choice: hasTools ? toToolChoice(options) : undefined,
    output_config: toOutputConfig(options, ownOutput),
    stream: question.stream || undefined,
  }
  return { ...settings, ...rest }
}

function thinkingBudget(thinking: Json | undefined): number {
  const budget = isJsonObject(thinking) ? thinking['budget_tokens'] : undefined
  return typeof budget === 'number' ? budget : 0
}

function toOutputConfig({ outputSchema }: ChatOptions, own: Json | undefined): unknown {
  if (outputSchema === undefined) return own
  const format = { type: 'json_schema', schema: OUTPUT_SCHEMAS.lower(outputSchema) }
  return { format, ...fieldsIn(own) }
}

function toToolChoice({ toolChoice, parallelToolCalls }: ChatOptions): SentChoice | undefined {
  const oneAtATime = parallelToolCalls === false
  if (toolChoice === undefined && !oneAtATime) return undefined
  const choice = toChoice(toolChoice ?? 'auto')
  return oneAtATime && choice.type !== 'none'
    ? { ...choice, disable_parallel_tool_use: true }
    : choice
}

function toChoice(choice: ToolChoice): SentChoice {
  if (typeof choice === 'object') return { type: 'tool', name: choice.tool }
  return { type: choice === 'required' ? 'any' : choice }
}

const definitionsToWire = toolWireCache(toTool)

const deferredToWire = toolWireCache((definition) => ({
  ...toTool(definition),
  defer_loading: true,
}))
/** Searches what is deferred, on Anthropic's side. */
const SEARCH_TOOL = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }

/** Tools of the provider itself, such as web search, are given by its own options and follow ours. */
function toToolList({ tools, options }: WireQuestion, own: Json | undefined): string | undefined {
  const provided = Array.isArray(own) && own.length > 0 ? wellFormedJson(own) : '[]'
  if (!options.deferredTools?.length)
    return joinJsonLists([tools.length === 0 ? '[]' : definitionsToWire(tools), provided])
  const deferred = new Set(options.deferredTools)
  const isDeferred = ({ definition }: ToolCallback): boolean => deferred.has(definition.name)
  return joinJsonLists([
    wellFormedJson([SEARCH_TOOL]),
    definitionsToWire(tools.filter((tool) => !isDeferred(tool))),
    deferredToWire(tools.filter(isDeferred)),
    provided,
  ])
}

/** Joins the JSON texts of lists into one list; undefined if all are empty. */
function joinJsonLists(lists: readonly string[]): string | undefined {
  const filled = lists.filter((list) => list !== '[]')
  if (filled.length < 2) return filled[0]
  return `[${filled.map((list) => list.slice(1, -1)).join(',')}]`
}

function toTool(definition: ToolDefinition): SentTool {
  const { schema, isRaised } = inputSchema(definition)
  return {
    name: definition.name,
    description: definition.description || undefined,
    input_schema: schema,
    // Examples are in the declared form; those that the model would have to write otherwise mislead it.
    input_examples: isRaised ? undefined : definition.inputExamples,
    ...definition.providerOptions?.[PROVIDER],
  }
}
