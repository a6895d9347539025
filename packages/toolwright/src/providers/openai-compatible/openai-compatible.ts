/**
 * A model behind any server that speaks Chat Completions: vLLM, llama.cpp, LM Studio, Groq, DeepSeek,
 * Mistral and many more. One prompt, one exchange; calls come back unexecuted.
 */
import type { ChatModel, ModelCapabilities } from '../../model/chat-model.ts'
import { chatAdapter } from '../wire/chat-adapter.ts'
import type { ChatDialect, ToolNameRule } from '../wire/chat-dialect.ts'
import type { ModelTable } from '../wire/model-families.ts'
import { type WireOptions, wireSettings } from '../wire/wire-settings.ts'
import { fromWire } from './from-wire.ts'
import { STREAMED_TEXTS, streamConverter } from './stream-converter.ts'
import { inputSchema, OUTPUT_SCHEMAS, toWire } from './to-wire.ts'

export interface OpenAiCompatibleOptions extends WireOptions {
  /** Includes the version path, e.g. `http://localhost:8000/v1`. */
  readonly baseUrl: string
  /** Who answers: named in errors, and the key of `providerOptions`. Default `openai-compatible`. */
  readonly provider?: string
  /**
   * What the model can do beyond the defaults: tools, media and `parallelToolCalls: false`. Say
   * `structuredOutput: true` for a server that takes `response_format: json_schema`, and takes it beside tools.
   */
  readonly capabilities?: ModelCapabilities
}

/** Many servers, few promises: what nearly all of them take. */
export const MODELS: ModelTable = {
  usual: { tools: true, toolChoice: true, parallelOff: true, media: true, files: true },
  families: [],
}

/**
 * @example
 * const model = openaiCompatible('qwen3', { baseUrl: 'http://localhost:8000/v1' })
 * const answer = await model.call({ messages: [{ role: 'user', content: 'Hello' }] })
 */
export function openaiCompatible(model: string, options: OpenAiCompatibleOptions): ChatModel {
  const provider = options?.provider ?? 'openai-compatible'
  const settings = wireSettings(
    {
      provider,
      factory: 'openaiCompatible',
      // No environment variable: a key must not go to a server it was not made for.
      apiKeyOptional: true,
      authHeaders: (key) => ({ authorization: `Bearer ${key}` }),
      moreOptions: ['provider'],
    },
    model,
    options,
  )
  return chatAdapter({ settings, models: MODELS, dialect: chatCompletions(provider) })
}

const TOOL_NAMES: ToolNameRule = { pattern: /^[\w-]+$/, maxLength: 64 }

function chatCompletions(provider: string): ChatDialect {
  return {
    path: () => '/chat/completions',
    toWire: toWire(provider),
    toolSchema: inputSchema(provider),
    fromWire: (answer) => fromWire(provider, answer),
    streamConverter: (events) => streamConverter(provider, events),
    streamedTexts: STREAMED_TEXTS,
    inputField: 'arguments',
    toolNames: TOOL_NAMES,
    output: { schemas: OUTPUT_SCHEMAS, unlowered: 'as it is' },
  }
}
