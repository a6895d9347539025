/** The adapters of all dialects that the fault server speaks. A new adapter joins the tests of this folder by a row. */
import type { ChatModel } from 'toolwright'
import { anthropic, type AnthropicOptions } from 'toolwright/anthropic'
import { google } from 'toolwright/google'
import { ollama } from 'toolwright/ollama'
import { openai, openaiCompatible } from 'toolwright/openai'
import type { FaultDialect } from '@toolwright/fault-server'

/** What every factory takes. */
export type ModelOptions = AnthropicOptions & { readonly baseUrl: string }
export type MakeModel = (options: ModelOptions) => ChatModel

export const MODELS: { readonly [dialect in FaultDialect]: MakeModel } = {
  'openai-compatible': (options) => openaiCompatible('some-model', options),
  anthropic: (options) => anthropic('claude-sonnet-5', options),
  openai: (options) => openai('gpt-5.4', options),
  google: (options) => google('gemini-3-flash', options),
  ollama: (options) => ollama('qwen3', options),
}

/** Where each finds its key if none is given. */
export const KEY_VARIABLES: { readonly [dialect in FaultDialect]?: string } = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  google: 'GEMINI_API_KEY',
}

export const DIALECTS = Object.keys(MODELS) as readonly FaultDialect[]
export const MODES = ['call', 'stream'] as const
export type Mode = (typeof MODES)[number]

/** Every dialect in both modes, for `describe.each`. */
export const EVERY_WAY: readonly (readonly [FaultDialect, Mode])[] = DIALECTS.flatMap((dialect) =>
  MODES.map((mode) => [dialect, mode] as const),
)
