/**
 * From a prompt to the body of one Gemini request, as JSON text put together from parts that were made before:
 * the declarations of tools and the messages of earlier rounds cost nothing again.
 */
import type { Json, JsonObject } from '../../messages/json.ts'
import type { Message } from '../../messages/message.ts'
import type { ChatOptions, ToolChoice } from '../../model/chat-model.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import type { WireQuestion } from '../wire/chat-dialect.ts'
import { headCache } from '../wire/head-cache.ts'
import { LoweredSchemas } from '../wire/lowered-schemas.ts'
import { toolSchema, type ToolSchema } from '../wire/tool-schema.ts'
import { toolWireCache } from '../wire/tool-wire-cache.ts'
import { wellFormedJson } from '../wire/well-formed-json.ts'
import { fieldsIn } from '../wire/wire-value.ts'
import { contentsToWire, systemToWire } from './to-wire-messages.ts'
import {
  isBeforeGemini3,
  OLD_GEMMA,
  PROVIDER,
  type SentCalling,
  type SentDeclaration,
  type SentGeneration,
  type SentToolConfig,
} from './wire-types.ts'

export const OUTPUT_SCHEMAS = new LoweredSchemas(PROVIDER)

export const inputSchema = (definition: ToolDefinition): ToolSchema =>
  toolSchema(definition, PROVIDER)

export function toWire(question: WireQuestion): string {
  const { model, options } = question
  const messages = OLD_GEMMA.test(model) ? withoutSystem(question.messages) : question.messages
  const own = options.providerOptions?.[PROVIDER] ?? {}
  const system = 'systemInstruction' in own ? undefined : systemToWire(messages)
  const spoken = system === undefined ? '' : `,"systemInstruction":${system}`
  const contents = 'contents' in own ? '' : `,"contents":${contentsFor(question)(messages)}`
  const head = toHead(question)
  // Without any setting the first comma is one too many.
  return head === '' ? `{${(spoken + contents).slice(1)}}` : `{${head}${spoken}${contents}}`
}

/** Everything but the messages, as members of the request. */
const toHead = headCache((question) => {
  const { options } = question
  const own = options.providerOptions?.[PROVIDER] ?? {}
  const { tools: _tools, toolConfig: _config, generationConfig: _generation, ...others } = own
  const fields: { [field: string]: string | undefined } = {
    ...('cachedContent' in own ? {} : toolFields(question, own)),
    generationConfig: objectJson({
      ...parameters(options),
      ...fieldsIn(own['generationConfig']),
    }),
  }
  for (const [field, value] of Object.entries(others)) fields[field] = wellFormedJson(value)
  const written = Object.entries(fields).filter(([, json]) => json !== undefined)
  return written.map(([field, json]) => `${JSON.stringify(field)}:${json}`).join(',')
})

/** The writers of conversations remember what they wrote, so there is one for each set of rules. */
const CONTENTS = [false, true].map((signedCalls) =>
  [false, true].map((mediaInResults) => contentsToWire({ mediaInResults, signedCalls })),
)

function contentsFor({ model, capabilities }: WireQuestion): ReturnType<typeof contentsToWire> {
  const signed = isBeforeGemini3(model) ? 0 : 1
  return CONTENTS[signed]![capabilities.mediaInResults ? 1 : 0]!
}

const withoutSystem = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message) => (message.role === 'system' ? { ...message, role: 'user' } : message))

/** Undefined when it has no field that is set. */
function objectJson(fields: object): string | undefined {
  const json = wellFormedJson(fields)
  return json === '{}' ? undefined : json
}

function parameters({ outputSchema, ...options }: ChatOptions): SentGeneration {
  return {
    maxOutputTokens: options.maxTokens,
    temperature: options.temperature,
    topP: options.topP,
    topK: options.topK,
    stopSequences: options.stopSequences,
    seed: options.seed,
    ...(outputSchema !== undefined && {
      responseMimeType: 'application/json',
      responseJsonSchema: OUTPUT_SCHEMAS.lower(outputSchema),
    }),
  }
}

const declarationsToWire = toolWireCache(toDeclaration)

function toDeclaration(definition: ToolDefinition): object {
  const declaration: SentDeclaration = {
    name: definition.name,
    description: definition.description || undefined,
    parametersJsonSchema: inputSchema(definition).schema,
  }
  return { ...declaration, ...definition.providerOptions?.[PROVIDER] }
}

/** Tools of the provider itself, such as its search, are given by its own options and follow ours. */
function toolFields(
  question: WireQuestion,
  own: JsonObject,
): { readonly tools?: string; readonly toolConfig?: string | undefined } {
  const { tools } = question
  const provided: readonly Json[] = Array.isArray(own['tools']) ? own['tools'] : []
  const ours = tools.length === 0 ? [] : [`{"functionDeclarations":${declarationsToWire(tools)}}`]
  const all = [...ours, ...provided.map(wellFormedJson)]
  if (all.length === 0) return {}
  const { functionCallingConfig, ...config } = fieldsIn(own['toolConfig'])
  const calling = { ...toolChoice(question), ...fieldsIn(functionCallingConfig) }
  // The API takes both kinds of tools only if the calls of its own may be seen, and come back.
  const isMixed = ours.length > 0 && provided.length > 0 && !isBeforeGemini3(question.model)
  const toolConfig: SentToolConfig = {
    functionCallingConfig: Object.keys(calling).length === 0 ? undefined : calling,
    includeServerSideToolInvocations: isMixed || undefined,
  }
  return { tools: `[${all.join(',')}]`, toolConfig: objectJson({ ...toolConfig, ...config }) }
}

/** Without declarations of ours, nothing is said about calling them. */
function toolChoice({ tools, options, capabilities }: WireQuestion): SentCalling {
  if (tools.length === 0) return {}
  const choice: ToolChoice | undefined = options.toolChoice
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.tool] }
  if (choice === 'required') return { mode: 'ANY' }
  if (choice === 'none') return { mode: 'NONE' }
  if (capabilities.strictTools && tools.every(isStrict)) return { mode: 'VALIDATED' }
  return choice === undefined ? {} : { mode: 'AUTO' }
}

const isStrict = ({ definition }: ToolCallback): boolean => inputSchema(definition).isStrict
