/**
 * Models that an Ollama server runs, over its own API. One prompt, one exchange; calls come back unexecuted.
 * The server is one on this machine unless `baseUrl` names another: nothing is read from the environment.
 */
import type { ChatModel, ModelCapabilities } from '../../model/chat-model.ts'
import { chatAdapter } from '../wire/chat-adapter.ts'
import type { ChatDialect } from '../wire/chat-dialect.ts'
import type { ModelTable } from '../wire/model-families.ts'
import {
  type WireDefaults,
  type WireOptions,
  type WireSettings,
  wireSettings,
} from '../wire/wire-settings.ts'
import { explained, fromWire } from './from-wire.ts'
import { STREAMED_TEXTS, streamConverter } from './stream-converter.ts'
import { inputSchema, OUTPUT_SCHEMAS, toWire } from './to-wire.ts'
import { PROVIDER, serverAddress } from './wire-types.ts'

export interface OllamaOptions extends WireOptions {
  /** The address of the server, without a path. Default `http://127.0.0.1:11434`. */
  readonly baseUrl?: string
  /** Sent as a bearer token. A server of your own needs none; `https://ollama.com` does. Default: none. */
  readonly apiKey?: string
  /**
   * What the model can do, where it differs from what its name says. `ollama show <model>` lists it: say
   * `{ tools: true }`, `{ media: true, mediaInResults: true }` or `{ reasoning: true }`.
   */
  readonly capabilities?: ModelCapabilities
}

const DEFAULTS: WireDefaults = {
  provider: PROVIDER,
  factory: 'ollama',
  baseUrl: 'http://127.0.0.1:11434',
  apiKeyOptional: true,
  authHeaders: (key) => ({ authorization: `Bearer ${key}` }),
}

const SEES: ModelCapabilities = { media: true, mediaInResults: true }

/**
 * Read from the library of models. A model that no row knows is taken for one that has tools: where it has none,
 * the server says so, and the error says what to do.
 */
export const MODELS: ModelTable = {
  never: ['toolChoice', 'parallelOff', 'strictTools', 'providerTools', 'nativeToolSearch'],
  usual: {
    tools: true,
    structuredOutput: true,
    reasoning: false,
    media: false,
    files: false,
    mediaInResults: false,
    promptCaching: true,
  },
  families: [
    { name: 'Gemma 4', models: named('gemma4'), capabilities: { ...SEES, reasoning: true } },
    {
      name: 'Gemma 3 1B, 270M',
      models: /^gemma3:(?:1b|270m)/,
      capabilities: { tools: false },
    },
    {
      name: 'Gemma 3',
      models: named('gemma3|gemma3n|medgemma'),
      capabilities: { ...SEES, tools: false },
    },
    { name: 'Gemma 1 and 2', models: named('gemma2?|codegemma'), capabilities: { tools: false } },
    {
      name: 'Llama 3.2 Vision',
      models: named('llama3\\.2-vision'),
      capabilities: { ...SEES, tools: false },
    },
    { name: 'Llama 4', models: named('llama4'), capabilities: SEES },
    {
      name: 'Llama 3.0 and older',
      models: named('llama3|llama2|codellama|llama2-uncensored'),
      capabilities: { tools: false },
    },
    {
      name: 'Qwen 3 VL, Qwen 3.5',
      models: named('qwen3-vl|qwen3\\.\\d+'),
      capabilities: { ...SEES, reasoning: true },
    },
    { name: 'Qwen 3 Coder', models: named('qwen3-coder(?:-next)?'), capabilities: {} },
    {
      name: 'Qwen 3, QwQ',
      models: named('qwen3(?:-next)?|qwq'),
      capabilities: { reasoning: true },
    },
    {
      name: 'Qwen 2.5 VL',
      models: named('qwen2\\.5vl'),
      capabilities: { ...SEES, tools: false },
    },
    { name: 'Qwen 2, Qwen 2.5', models: named('qwen2|qwen2\\.5(?:-coder)?'), capabilities: {} },
    { name: 'gpt-oss', models: named('gpt-oss(?:-safeguard)?'), capabilities: { reasoning: true } },
    {
      name: 'DeepSeek R1, V3.1 and newer',
      models: named('deepseek-(?:r1|v3\\.\\d+|v[4-9].*)'),
      capabilities: { reasoning: true },
    },
    {
      name: 'DeepSeek V3 and older',
      models: named('deepseek-(?:v2|v2\\.5|v3|llm|coder|coder-v2)'),
      capabilities: { tools: false },
    },
    {
      name: 'Mistral Small 3.1 and newer, Ministral 3',
      models: named('mistral-small3\\.\\d+|ministral-3|mistral-large-3'),
      capabilities: SEES,
    },
    { name: 'Magistral', models: named('magistral'), capabilities: { reasoning: true } },
    {
      name: 'Mistral, Mixtral, Devstral',
      models: named('mistral(?:-nemo|-small|-large)?|mixtral|devstral(?:-small-2|-2)?'),
      capabilities: {},
    },
    {
      name: 'Phi 4 and older',
      models: named('phi|phi3|phi3\\.5|phi4|phi4-reasoning'),
      capabilities: { tools: false },
    },
    {
      name: 'LLaVA, BakLLaVA, Moondream, MiniCPM-V',
      models: named('llava.*|bakllava|moondream|minicpm-v.*|granite3\\.2-vision'),
      capabilities: { ...SEES, tools: false },
    },
  ],
}

/** Names come with a tag (`qwen3:8b`), and with who made them (`someone/qwen3`). */
function named(pattern: string): RegExp {
  return new RegExp(`(?:^|/)(?:${pattern})(?::|$)`, 'i')
}

/**
 * A model of an Ollama server. `providerOptions.ollama` is sent as it is: `think`, `keep_alive`, and `options`, which
 * are added to ours, e.g. `{ ollama: { options: { num_ctx: 16_384 } } }`. The context is short by default (`num_ctx`),
 * and what does not fit is cut off by the server without a word.
 *
 * The API cannot force a call: `toolChoice` with one tool offers only that one, `none` offers none, and a forced
 * choice is told as a notice.
 *
 * @example
 * const model = ollama('qwen3:8b')
 * const response = await model.call({ messages: [{ role: 'user', content: 'Hello' }] })
 */
export function ollama(model: string, options: OllamaOptions = {}): ChatModel {
  const given = wireSettings(DEFAULTS, model, options)
  const settings: WireSettings = { ...given, baseUrl: serverAddress(given.baseUrl) }
  return chatAdapter({ settings, models: MODELS, dialect: CHAT })
}

const CHAT: ChatDialect = {
  path: () => '/api/chat',
  toWire,
  fromWire,
  streamConverter,
  framing: 'ndjson',
  streamedTexts: STREAMED_TEXTS,
  changingFields: [['created_at']],
  inputField: 'arguments',
  // The API takes any name. The templates of models do not: they write them into JSON, XML or code.
  toolNames: { pattern: /^[\w-]+$/, maxLength: 64 },
  toolSchema: inputSchema,
  output: { schemas: OUTPUT_SCHEMAS, unlowered: 'in words' },
  explained,
}
