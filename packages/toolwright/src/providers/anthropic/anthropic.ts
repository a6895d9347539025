/**
 * Anthropic's models over the Messages API, or any server that speaks it. Converts a prompt, asks
 * once, converts the answer; loops, memory and execution are other people's work.
 */
import type { ChatModel, ModelCapabilities } from '../../model/chat-model.ts'
import { chatAdapter } from '../wire/chat-adapter.ts'
import type { ChatDialect } from '../wire/chat-dialect.ts'
import type { ModelTable } from '../wire/model-families.ts'
import { wireSettings, type WireDefaults, type WireOptions } from '../wire/wire-settings.ts'
import { fromWire } from './from-wire.ts'
import { STREAMED_TEXTS, streamConverter } from './stream-converter.ts'
import { inputSchema, OUTPUT_SCHEMAS, toWire } from './to-wire.ts'
import { PROVIDER } from './wire-types.ts'

/** Beta features are switched on by `headers: { 'anthropic-beta': '...' }`. */
export interface AnthropicOptions extends WireOptions {
  /**
   * What the model can do, where it differs from what its name says. `nativeToolSearch: true`: tools that a
   * tool-search advisor holds back are deferred and searched by the provider.
   */
  readonly capabilities?: ModelCapabilities
}

const DEFAULTS: WireDefaults = {
  provider: PROVIDER,
  factory: 'anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  apiKeyVariable: 'ANTHROPIC_API_KEY',
  authHeaders: (key) => ({ 'x-api-key': key }),
  headers: { 'anthropic-version': '2023-06-01' },
}

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
      name: 'Claude 4 and older',
      models: /claude-(?:[23]|instant|(?:opus|sonnet)-4-(?:0|2025))/,
      capabilities: { structuredOutput: false, strictTools: false },
    },
  ],
}

/**
 * A model of Anthropic. Without `maxTokens` an answer may have 8,192 tokens, besides a thinking budget
 * given in `providerOptions.anthropic.thinking`. Everything else there is sent as it is; its `tools`
 * are added to those offered.
 *
 * @example
 * const model = anthropic('claude-sonnet-4-5')
 * const response = await model.call({ messages: [{ role: 'user', content: 'Hello' }] })
 */
export function anthropic(model: string, options: AnthropicOptions = {}): ChatModel {
  const settings = wireSettings(DEFAULTS, model, options)
  return chatAdapter({ settings, models: MODELS, dialect: MESSAGES })
}

const MESSAGES: ChatDialect = {
  path: () => '/messages',
  toWire,
  toolSchema: inputSchema,
  fromWire,
  streamConverter,
  streamedTexts: STREAMED_TEXTS,
  inputField: 'input',
  toolNames: { pattern: /^[\w-]+$/, maxLength: 128 },
  output: { schemas: OUTPUT_SCHEMAS, unlowered: 'in words' },
}
