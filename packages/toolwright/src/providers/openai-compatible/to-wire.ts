/** From a prompt to the body of a Chat Completions request, put together from cached fragments. */
import type { JsonObject } from '../../messages/json.ts'
import type { Message } from '../../messages/message.ts'
import type { ChatOptions, ToolChoice } from '../../model/chat-model.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import type { WireQuestion } from '../wire/chat-dialect.ts'
import { fragmentCache } from '../wire/fragment-cache.ts'
import { headCache } from '../wire/head-cache.ts'
import { LoweredSchemas } from '../wire/lowered-schemas.ts'
import { toolSchema, type ToolSchema } from '../wire/tool-schema.ts'
import { toolWireCache } from '../wire/tool-wire-cache.ts'
import { wellFormedJson } from '../wire/well-formed-json.ts'
import { messageToWire } from './to-wire-messages.ts'
import type { SentChoice, SentParameters } from './wire-types.ts'

/** What OpenAI calls strict: every property required, an optional one null instead, objects closed. */
export const OUTPUT_SCHEMAS = new LoweredSchemas('openai-strict')

/** Tools are not strict unless one asks for it: many servers refuse the word. */
export function inputSchema(provider: string): (definition: ToolDefinition) => ToolSchema {
  return (definition) => toolSchema(definition, 'openai', provider)
}

/**
 * Makes the serialiser of one model; its caches live as long as the messages and tools they remember.
 *
 * @param provider key of `providerOptions`
 */
export function toWire(provider: string): (question: WireQuestion) => string {
  const toMessages = fragmentCache<Message>((message) => messageToWire(message, provider))
  const toTools = toolWireCache((definition) => wireTool(definition, provider))
  const ownOf = ({ providerOptions }: ChatOptions): JsonObject => providerOptions?.[provider] ?? {}
  const toHead = headCache(({ model, options, tools, stream }) => {
    const own = ownOf(options)
    const settings = wellFormedJson({
      model,
      ...streaming(stream),
      ...parameters(options),
      ...toolParameters(options, tools),
      ...own,
    })
    const hasTools = tools.length > 0 && !('tools' in own)
    return settings.slice(0, -1) + (hasTools ? `,"tools":${toTools(tools)}` : '')
  })
  return (question) => {
    const head = toHead(question)
    if ('messages' in ownOf(question.options)) return `${head}}`
    return `${head},"messages":[${question.messages.map(toMessages).join(',')}]}`
  }
}

function streaming(stream: boolean): SentParameters {
  return stream ? { stream: true, stream_options: { include_usage: true } } : {}
}

function parameters(options: ChatOptions): SentParameters & { readonly response_format?: object } {
  const { outputSchema } = options
  return {
    max_tokens: options.maxTokens,
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK,
    stop: options.stopSequences,
    seed: options.seed,
    ...(outputSchema !== undefined && {
      response_format: { type: 'json_schema', json_schema: answerSchema(outputSchema) },
    }),
  }
}

/** Without `strict` a server keeps to the schema as well as it can. */
function answerSchema(schema: JsonSchema): object {
  const strict = OUTPUT_SCHEMAS.lower(schema)
  return strict ? { name: 'answer', strict: true, schema: strict } : { name: 'answer', schema }
}

/** Without tools, servers refuse what is said about them. */
function toolParameters(options: ChatOptions, tools: readonly ToolCallback[]): SentParameters {
  if (tools.length === 0) return {}
  const { toolChoice } = options
  return {
    tool_choice: toolChoice === undefined ? undefined : wireToolChoice(toolChoice),
    parallel_tool_calls: options.parallelToolCalls,
  }
}

function wireToolChoice(choice: ToolChoice): SentChoice {
  if (typeof choice === 'string') return choice
  return { type: 'function', function: { name: choice.tool } }
}

function wireTool(definition: ToolDefinition, provider: string): unknown {
  const { name, description, providerOptions } = definition
  const { schema: parameters } = inputSchema(provider)(definition)
  return {
    type: 'function',
    function: { name, description, parameters, ...providerOptions?.[provider] },
  }
}
