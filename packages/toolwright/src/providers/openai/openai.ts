/**
 * OpenAI's models over the Responses API, or any server that speaks it. Converts a prompt, asks once, converts
 * the answer; nothing is stored at the provider unless the caller wants it.
 */
import type { ChatModel, ModelCapabilities } from '../../model/chat-model.ts'
import { chatAdapter } from '../wire/chat-adapter.ts'
import type { ChatDialect } from '../wire/chat-dialect.ts'
import type { ModelTable } from '../wire/model-families.ts'
import { wireSettings, type WireDefaults, type WireOptions } from '../wire/wire-settings.ts'
import { fromWire } from './from-wire.ts'
import { errorIn, STREAMED_TEXTS, streamConverter } from './stream-converter.ts'
import { inputSchema, OUTPUT_SCHEMAS, toWire } from './to-wire.ts'
import { PROVIDER } from './wire-types.ts'

export interface OpenAiOptions extends WireOptions {
  /**
   * Default: `OPENAI_API_KEY`, but only for hosts of OpenAI. Another server gets a key only if it is given
   * here, and is asked without one otherwise.
   */
  readonly apiKey?: string
  /** Another server that speaks the Responses API, with the version path, e.g. `http://localhost:1234/v1`. */
  readonly baseUrl?: string
  /**
   * What the model can do, where it differs from what its name says. `nativeToolSearch: true`: tools that a
   * tool-search advisor holds back are deferred and searched by the provider. `reasoning: false`: encrypted
   * thoughts are not asked for, which some servers refuse.
   */
  readonly capabilities?: ModelCapabilities
}

const DEFAULTS: WireDefaults = {
  provider: PROVIDER,
  factory: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  apiKeyVariable: 'OPENAI_API_KEY',
  ownHosts: /^[\w-]+\.api\.openai\.com$/,
  authHeaders: (key) => ({ authorization: `Bearer ${key}` }),
}

const TEXT_ONLY = { media: false, files: false, mediaInResults: false } as const

/** Read from the provider's documentation. */
export const MODELS: ModelTable = {
  usual: {
    tools: true,
    toolChoice: true,
    parallelOff: true,
    strictTools: true,
    structuredOutput: true,
    reasoning: true,
    media: true,
    files: true,
    mediaInResults: true,
    providerTools: true,
    promptCaching: true,
  },
  families: [
    {
      name: 'chatgpt-4o-latest',
      models: /chatgpt-4o/,
      capabilities: {
        tools: false,
        toolChoice: false,
        parallelOff: false,
        strictTools: false,
        structuredOutput: false,
        reasoning: false,
        providerTools: false,
      },
    },
    {
      name: 'gpt-5-chat-latest',
      models: /gpt-5-chat/,
      capabilities: { reasoning: false, providerTools: false },
    },
    { name: 'GPT-4o, GPT-4.1', models: /gpt-4(?:o|\.\d)/, capabilities: { reasoning: false } },
    {
      name: 'GPT-4 Turbo',
      models: /gpt-4-turbo/,
      capabilities: {
        structuredOutput: false,
        reasoning: false,
        files: false,
        providerTools: false,
        promptCaching: false,
      },
    },
    {
      name: 'GPT-4, GPT-3.5',
      models: /gpt-(?:4(?![\w.])|3\.5)/,
      capabilities: {
        ...TEXT_ONLY,
        structuredOutput: false,
        reasoning: false,
        providerTools: false,
        promptCaching: false,
      },
    },
    {
      name: 'o1-mini, o3-mini',
      models: /(?:^|[/:])o[13]-mini/,
      capabilities: { ...TEXT_ONLY, parallelOff: false },
    },
    { name: 'o1, o3, o4-mini', models: /(?:^|[/:])o\d/, capabilities: { parallelOff: false } },
    {
      name: 'gpt-oss',
      models: /gpt-oss/,
      capabilities: { ...TEXT_ONLY, providerTools: false },
    },
  ],
}

/**
 * A model of OpenAI, over the Responses API. The provider stores nothing (`store: false`): the whole
 * conversation is sent, and thoughts come encrypted and go back as they came.
 *
 * `providerOptions.openai` is sent as it is: `reasoning: { effort, summary }`, `prompt_cache_key`,
 * `previous_response_id` with `store: true`, and so on. Its `tools` (web search, code interpreter, MCP, ...) are
 * added to those offered, its `include` to what is asked for. What such tools do comes back as parts of type
 * `provider`; where one wants an answer, send the item as such a part of an assistant's message.
 * `topK`, `stopSequences` and `seed` have no place in this API.
 *
 * @example
 * const model = openai('gpt-5.4')
 * const response = await model.call({ messages: [{ role: 'user', content: 'Hello' }] })
 */
export function openai(model: string, options: OpenAiOptions = {}): ChatModel {
  const settings = wireSettings(DEFAULTS, model, options)
  return chatAdapter({ settings, models: MODELS, dialect: RESPONSES })
}

const RESPONSES: ChatDialect = {
  path: () => '/responses',
  toWire,
  fromWire,
  streamConverter,
  errorIn,
  streamedTexts: STREAMED_TEXTS,
  changingFields: [['sequence_number'], ['obfuscation']],
  inputField: 'arguments',
  toolNames: { pattern: /^[\w-]+$/, maxLength: 64 },
  toolSchema: inputSchema,
  output: { schemas: OUTPUT_SCHEMAS, unlowered: 'as it is' },
}
