/** The providers that `chat` knows, in the order in which they are tried when no model is named. */
import { CommandError } from '../command/command-error.ts'
import type { Environment, ModelProvider } from './model-provider.ts'
import { hasOllama, ollamaModel } from './ollama-model.ts'

const openai: ModelProvider = {
  name: 'openai',
  connect: 'set OPENAI_API_KEY (and OPENAI_BASE_URL for another server with a key)',
  isConnected: (env) => isSet(env, 'OPENAI_API_KEY') || isSet(env, 'OPENAI_BASE_URL'),
  async make(name = 'gpt-5.4', env) {
    const apiKey = keyIn(env, 'OPENAI_API_KEY')
    const baseUrl = env['OPENAI_BASE_URL']?.trim()
    if (!this.isConnected(env)) throw missingKey(this, 'OPENAI_API_KEY')
    const { openai: responsesModel, openaiCompatible } = await import('toolwright/openai')
    if (!baseUrl) return responsesModel(name, { apiKey })
    // What all other servers speak is Chat Completions.
    return openaiCompatible(name, { provider: 'openai', baseUrl, ...(apiKey && { apiKey }) })
  },
}

const anthropic: ModelProvider = {
  name: 'anthropic',
  connect: 'set ANTHROPIC_API_KEY (and ANTHROPIC_BASE_URL for another server)',
  isConnected: (env) => isSet(env, 'ANTHROPIC_API_KEY'),
  async make(name = 'claude-sonnet-4-5', env) {
    const apiKey = keyIn(env, 'ANTHROPIC_API_KEY')
    const address = env['ANTHROPIC_BASE_URL']
    if (apiKey === '') throw missingKey(this, 'ANTHROPIC_API_KEY')
    const { anthropic: anthropicModel } = await import('toolwright/anthropic')
    return anthropicModel(name, {
      apiKey,
      ...(address?.trim() && { baseUrl: versioned(address, 'v1') }),
    })
  },
}

const google: ModelProvider = {
  name: 'google',
  connect: 'set GEMINI_API_KEY or GOOGLE_API_KEY (and GOOGLE_GEMINI_BASE_URL for another server)',
  isConnected: (env) => isSet(env, 'GEMINI_API_KEY') || isSet(env, 'GOOGLE_API_KEY'),
  async make(name = 'gemini-2.5-flash', env) {
    const apiKey = keyIn(env, 'GEMINI_API_KEY') || keyIn(env, 'GOOGLE_API_KEY')
    const address = env['GOOGLE_GEMINI_BASE_URL']
    if (apiKey === '') throw missingKey(this, 'GEMINI_API_KEY')
    const { google: geminiModel } = await import('toolwright/google')
    return geminiModel(name, {
      apiKey,
      ...(address?.trim() && { baseUrl: versioned(address, 'v1beta') }),
    })
  },
}

const ollama: ModelProvider = {
  name: 'ollama',
  connect: 'run Ollama on this machine (OLLAMA_HOST when it listens elsewhere)',
  isConnected: hasOllama,
  make: ollamaModel,
}

const demo: ModelProvider = {
  name: 'demo',
  connect: '--model demo, to try your tools: it follows rules and is no language model',
  // The demo is used only on request.
  isConnected: () => false,
  async make(name) {
    if (name !== undefined)
      throw new CommandError(`There is only one demo model, and no "${name}". Write --model demo.`)
    const { demoModel } = await import('../demo/demo-model.ts')
    return demoModel()
  },
}

export const PROVIDERS: readonly ModelProvider[] = [openai, anthropic, google, ollama, demo]

function isSet(env: Environment, variable: string): boolean {
  return Boolean(env[variable]?.trim())
}

/**
 * Reads a key that can be sent in a header. A key that was copied with a line break or a typographic dash
 * is reported.
 */
function keyIn(env: Environment, variable: string): string {
  const key = env[variable]?.trim() ?? ''
  if (/^[!-~]*$/.test(key)) return key
  throw new CommandError(
    `${variable} has a space, a line break or another character that no key has. Set it again.`,
  )
}

/** The providers' own clients take the address without the version path, ours with it. */
function versioned(address: string, version: string): string {
  const base = address.trim().replace(/\/+$/, '')
  return /\/v\d+\w*$/.test(base) ? base : `${base}/${version}`
}

function missingKey({ name }: ModelProvider, variable: string): CommandError {
  return new CommandError(`Models of ${name} need a key. Set ${variable}.`)
}
