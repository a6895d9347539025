/**
 * From a prompt to the body of one `/api/chat` request, put together from cached fragments. The API has no place
 * for a tool choice or a parallel switch.
 */
import type { JsonObject } from '../../messages/json.ts'
import type { Message } from '../../messages/message.ts'
import type { ChatOptions } from '../../model/chat-model.ts'
import { promptedOutput } from '../../model/prompted-output.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import type { WireQuestion } from '../wire/chat-dialect.ts'
import { fragmentCache } from '../wire/fragment-cache.ts'
import { headCache } from '../wire/head-cache.ts'
import { LoweredSchemas } from '../wire/lowered-schemas.ts'
import { toolSchema, type ToolSchema } from '../wire/tool-schema.ts'
import { toolWireCache } from '../wire/tool-wire-cache.ts'
import { wellFormedJson } from '../wire/well-formed-json.ts'
import { isJsonObject } from '../wire/wire-value.ts'
import { messageToWire } from './to-wire-messages.ts'
import { PROVIDER, type SentOptions, type SentTool, type SentRequest } from './wire-types.ts'

/** Ollama makes a grammar of the schema, which knows little more than types and names. */
export const OUTPUT_SCHEMAS = new LoweredSchemas(PROVIDER)

export const inputSchema = (definition: ToolDefinition): ToolSchema =>
  toolSchema(definition, PROVIDER)

/** What was written is remembered: for models that see, and for models that do not. */
const MESSAGES = [false, true].map((sees) =>
  fragmentCache<Message>((message) => messageToWire(message, sees)),
)
const toolsToWire = toolWireCache(toTool)

export function toWire(question: WireQuestion): string {
  const toMessage = MESSAGES[question.capabilities.media ? 1 : 0]!
  const head = toHead(question)
  if ('messages' in ownOf(question)) return `${head}}`
  return `${head},"messages":[${messagesOf(question).map(toMessage).join(',')}]}`
}

const ownOf = ({ options }: WireQuestion): JsonObject => options.providerOptions?.[PROVIDER] ?? {}

const toHead = headCache((question) => {
  const { tools } = question
  const { options: ownOptions, ...own } = ownOf(question)
  const settings = wellFormedJson({
    ...settingsOf(question, tools.length > 0, ownOptions),
    ...own,
  })
  const hasTools = tools.length > 0 && !('tools' in own)
  return settings.slice(0, -1) + (hasTools ? `,"tools":${toolsToWire(tools)}` : '')
})

/** The grammar holds the form of the answer; what its fields mean the model reads only in words. */
function messagesOf({ messages, options }: WireQuestion): readonly Message[] {
  return options.outputSchema === undefined
    ? messages
    : promptedOutput({ messages, options }).messages
}

function settingsOf(
  { model, stream, options }: WireQuestion,
  hasTools: boolean,
  own: unknown,
): Omit<SentRequest, 'messages' | 'tools'> {
  const { outputSchema } = options
  // Held to a grammar from the first character on, a model could not call a tool.
  const format = outputSchema && !hasTools ? OUTPUT_SCHEMAS.lower(outputSchema) : undefined
  return {
    model,
    stream,
    ...(format && { format: format as JsonObject }),
    ...parameters(options, own),
  }
}

function parameters(options: ChatOptions, own: unknown): Pick<SentRequest, 'options'> {
  const ours: SentOptions = {
    num_predict: options.maxTokens,
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK,
    seed: options.seed,
    stop: options.stopSequences,
  }
  const all = Object.entries({ ...ours, ...(isJsonObject(own) && own) })
  const given = all.filter(([, value]) => value !== undefined)
  return given.length === 0 ? {} : { options: Object.fromEntries(given) }
}

function toTool(definition: ToolDefinition): SentTool {
  const { name, description, providerOptions } = definition
  const { schema } = inputSchema(definition)
  return {
    type: 'function',
    function: {
      name,
      ...(description && { description }),
      parameters: schema,
      ...providerOptions?.[PROVIDER],
    },
  }
}
