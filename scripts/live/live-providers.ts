/** The real providers and local servers that `npm run live` can ask, and what it needs of each. */
import type { ChatModel } from 'toolwright'
import { anthropic } from 'toolwright/anthropic'
import { google } from 'toolwright/google'
import { ollama } from 'toolwright/ollama'
import { openai, openaiCompatible } from 'toolwright/openai'

export type Environment = { readonly [name: string]: string | undefined }

/** Another key or another model than the ones set, for the cases in which they are wrong. */
export interface Wrong {
  readonly apiKey?: string
  readonly model?: string
}

export interface LiveProvider {
  readonly name: string
  /** What must be set, for the line that says why it was skipped. */
  readonly needs: string
  /** Undefined when something is missing. */
  connect(env: Environment): Promise<LiveModels | undefined>
}

export interface LiveModels {
  /** The value of `--model` and further flags of the command, for the quick start. */
  readonly command: readonly string[]
  readonly takesKey: boolean
  make(wrong?: Wrong): ChatModel
}

const named = (env: Environment, provider: string, usual: string): string =>
  env[`TOOLWRIGHT_LIVE_${provider}_MODEL`] || usual

const openaiResponses: LiveProvider = {
  name: 'openai',
  needs: 'OPENAI_API_KEY',
  async connect(env) {
    const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = env
    if (!apiKey) return undefined
    const model = named(env, 'OPENAI', 'gpt-5.4-mini')
    return {
      command: ['--model', `openai:${model}`],
      takesKey: true,
      make: (wrong) => openai(wrong?.model ?? model, { apiKey, ...at(baseUrl), ...keyOf(wrong) }),
    }
  },
}

const messages: LiveProvider = {
  name: 'anthropic',
  needs: 'ANTHROPIC_API_KEY',
  async connect(env) {
    const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl } = env
    if (!apiKey) return undefined
    const model = named(env, 'ANTHROPIC', 'claude-haiku-4-5')
    return {
      command: ['--model', `anthropic:${model}`],
      takesKey: true,
      make: (wrong) =>
        anthropic(wrong?.model ?? model, { apiKey, ...at(baseUrl), ...keyOf(wrong) }),
    }
  },
}

const gemini: LiveProvider = {
  name: 'google',
  needs: 'GEMINI_API_KEY or GOOGLE_API_KEY',
  async connect(env) {
    const apiKey = env['GEMINI_API_KEY'] || env['GOOGLE_API_KEY']
    if (!apiKey) return undefined
    const model = named(env, 'GOOGLE', 'gemini-2.5-flash')
    return {
      command: ['--model', `google:${model}`],
      takesKey: true,
      make: (wrong) =>
        google(wrong?.model ?? model, {
          apiKey,
          ...at(env['GOOGLE_GEMINI_BASE_URL']),
          ...keyOf(wrong),
        }),
    }
  },
}

const localOllama: LiveProvider = {
  name: 'ollama',
  needs: 'a model in TOOLWRIGHT_LIVE_OLLAMA_MODEL, and Ollama on this machine or at OLLAMA_HOST',
  async connect(env) {
    const model = env['TOOLWRIGHT_LIVE_OLLAMA_MODEL']
    if (!model) return undefined
    const host = env['OLLAMA_HOST'] || '127.0.0.1:11434'
    const baseUrl = /^https?:/.test(host) ? host : `http://${host}`
    return {
      command: ['--model', `ollama:${model}`],
      takesKey: false,
      make: (wrong) => ollama(wrong?.model ?? model, { baseUrl }),
    }
  },
}

const compatible: LiveProvider = {
  name: 'openai-compatible',
  needs:
    'TOOLWRIGHT_LIVE_BASE_URL and TOOLWRIGHT_LIVE_MODEL (TOOLWRIGHT_LIVE_API_KEY if it has one)',
  async connect(env) {
    const {
      TOOLWRIGHT_LIVE_BASE_URL: baseUrl,
      TOOLWRIGHT_LIVE_MODEL: model,
      TOOLWRIGHT_LIVE_API_KEY: apiKey,
    } = env
    if (!baseUrl || !model) return undefined
    return {
      command: ['--base-url', baseUrl, '--model', model],
      takesKey: Boolean(apiKey),
      make: (wrong) =>
        openaiCompatible(wrong?.model ?? model, {
          baseUrl,
          ...(apiKey && { apiKey }),
          ...keyOf(wrong),
        }),
    }
  },
}

export const LIVE_PROVIDERS: readonly LiveProvider[] = [
  openaiResponses,
  messages,
  gemini,
  localOllama,
  compatible,
]

const at = (baseUrl: string | undefined): { baseUrl?: string } => (baseUrl ? { baseUrl } : {})
const keyOf = (wrong: Wrong | undefined): { apiKey?: string } =>
  wrong?.apiKey === undefined ? {} : { apiKey: wrong.apiKey }
