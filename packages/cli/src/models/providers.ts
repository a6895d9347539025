/** The providers that `chat` knows, in the order in which they are tried when no model is named. */
import { CommandError } from '../command/command-error.ts'
import type { Environment, ModelProvider } from './model-provider.ts'
import { hasOllama, ollamaModel } from './ollama-model.ts'

const OPENAI = 'https://api.openai.com/v1'

const openai: ModelProvider = {
  name: 'openai',
  connect: 'set OPENAI_API_KEY (and OPENAI_BASE_URL for another server with a key)',
  isConnected: (env) => isSet(env, 'OPENAI_API_KEY') || isSet(env, 'OPENAI_BASE_URL'),
  async make(name = 'gpt-5.4', env) {
    const apiKey = keyIn(env, 'OPENAI_API_KEY')
    const baseUrl = env['OPENAI_BASE_URL']?.trim()
    if (!this.isConnected(env)) throw missingKey(this, 'OPENAI_API_KEY')
    const { openaiCompatible } = await import('toolwright/openai')
    const key = apiKey === '' ? {} : { apiKey }
    // Other servers speak Chat Completions.
    if (baseUrl) return openaiCompatible(name, { provider: 'openai', baseUrl, ...key })
    return openaiCompatible(name, { provider: 'openai', baseUrl: OPENAI, ...key })
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
    return anthropicModel(name, { apiKey, ...(address?.trim() && { baseUrl: versioned(address) }) })
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

export const PROVIDERS: readonly ModelProvider[] = [openai, anthropic, ollama, demo]

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

/** Anthropic's own clients take the address without the version path, ours with it. */
function versioned(address: string): string {
  const base = address.trim().replace(/\/+$/, '')
  return /\/v\d+$/.test(base) ? base : `${base}/v1`
}

function missingKey({ name }: ModelProvider, variable: string): CommandError {
  return new CommandError(`Models of ${name} need a key. Set ${variable}.`)
}
