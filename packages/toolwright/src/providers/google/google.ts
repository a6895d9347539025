/**
 * Google's models over the Gemini API, or any server that speaks it. Converts a prompt, asks once, converts
 * the answer; calls come back unexecuted.
 */
import type { ChatModel, ModelCapabilities } from '../../model/chat-model.ts'
import { chatAdapter } from '../wire/chat-adapter.ts'
import type { ChatDialect, WireQuestion } from '../wire/chat-dialect.ts'
import type { ModelTable } from '../wire/model-families.ts'
import { wireSettings, type WireDefaults, type WireOptions } from '../wire/wire-settings.ts'
import { fromWire } from './from-wire.ts'
import { GROWING_COUNTS, STREAMED_TEXTS, streamConverter } from './stream-converter.ts'
import { inputSchema, OUTPUT_SCHEMAS, toWire } from './to-wire.ts'
import { OLD_GEMMA, PROVIDER } from './wire-types.ts'

export interface GoogleOptions extends WireOptions {
  /**
   * What the model can do, where it differs from what its name says. `mediaInResults: false`: images that tools
   * return follow their results. `structuredOutput: true`: an older model that is never asked with tools.
   */
  readonly capabilities?: ModelCapabilities
}

const DEFAULTS: WireDefaults = {
  provider: PROVIDER,
  factory: 'google',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  apiKeyVariable: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  ownHosts: /^[\w-]+\.googleapis\.com$/,
  authHeaders: (key) => ({ 'x-goog-api-key': key }),
}

/** Read from the provider's documentation. No model takes `parallelToolCalls: false`. */
export const MODELS: ModelTable = {
  never: ['parallelOff', 'nativeToolSearch'],
  usual: {
    tools: true,
    toolChoice: true,
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
      name: 'Gemini for images and speech',
      models: /gemini-.*-(?:image|tts)/,
      capabilities: {
        tools: false,
        toolChoice: false,
        strictTools: false,
        structuredOutput: false,
        mediaInResults: false,
      },
    },
    {
      // They take a schema only without tools, so it is asked for in words.
      name: 'Gemini 2.5',
      models: /gemini-(?:[a-z]+-)*2\.5/,
      capabilities: { structuredOutput: false, mediaInResults: false },
    },
    {
      name: 'Gemini 2.0 and older',
      models: /gemini-(?:[a-z]+-)*[12](?![0-9])|learnlm/,
      capabilities: {
        strictTools: false,
        structuredOutput: false,
        reasoning: false,
        mediaInResults: false,
      },
    },
    {
      name: 'Gemma 3 and older',
      models: OLD_GEMMA,
      capabilities: {
        tools: false,
        toolChoice: false,
        strictTools: false,
        structuredOutput: false,
        reasoning: false,
        files: false,
        mediaInResults: false,
        providerTools: false,
        promptCaching: false,
      },
    },
  ],
}

/**
 * A model of Google. The key is `GEMINI_API_KEY` or `GOOGLE_API_KEY` of the environment. What stands in
 * `providerOptions.google` is sent as it is: `safetySettings`, `cachedContent`, and inside `generationConfig`
 * and `toolConfig` whatever the API knows, e.g. `thinkingConfig`. Its `tools`, such as `{ googleSearch: {} }`, are
 * added to those offered. Beside `cachedContent` no tools are sent, because the API wants them in the cache.
 *
 * @example
 * const model = google('gemini-3-flash-preview')
 * const response = await model.call({ messages: [{ role: 'user', content: 'Hello' }] })
 */
export function google(model: string, options: GoogleOptions = {}): ChatModel {
  const settings = wireSettings(DEFAULTS, model, options)
  return chatAdapter({ settings, models: MODELS, dialect: GENERATE_CONTENT })
}

const GENERATE_CONTENT: ChatDialect = {
  path,
  toWire,
  fromWire,
  streamConverter,
  streamedTexts: STREAMED_TEXTS,
  changingFields: GROWING_COUNTS,
  inputField: 'args',
  // Documented are 128 characters; servers of some models have refused more than 64.
  toolNames: { pattern: /^[A-Za-z_][\w.:-]*$/, maxLength: 64 },
  toolSchema: inputSchema,
  output: { schemas: OUTPUT_SCHEMAS, unlowered: 'in words' },
}

/** Tuned models and those of other publishers are named with their path. */
function path({ model, stream }: WireQuestion): string {
  const place = model.includes('/') ? model : `models/${model}`
  const encoded = /^[\w./-]+$/.test(place)
    ? place
    : place.toWellFormed().split('/').map(encodeURIComponent).join('/')
  return `/${encoded}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
}
