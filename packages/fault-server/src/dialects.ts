/** The wire languages the server speaks, by name. */
import type { Dialect } from './dialect.ts'
import { anthropic } from './dialects/anthropic/anthropic.ts'
import { google } from './dialects/google/google.ts'
import { ollama } from './dialects/ollama/ollama.ts'
import { openAiCompatible } from './dialects/openai-compatible/openai-compatible.ts'
import { openAi } from './dialects/openai/openai.ts'

export const DIALECTS = {
  'openai-compatible': openAiCompatible,
  anthropic,
  openai: openAi,
  google,
  ollama,
} as const satisfies { readonly [name: string]: Dialect }

/** The name of a wire language the server speaks. */
export type FaultDialect = keyof typeof DIALECTS

/** Every dialect, for tests that go through all of them. */
export const FAULT_DIALECTS = Object.keys(DIALECTS) as readonly FaultDialect[]
