/** The one tool a model sees first: it asks for capabilities and is told names. */
import type { Json } from '../../messages/json.ts'
import { tool } from '../../tools/tool.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'

export const SEARCH_TOOL = 'toolSearchTool'

export interface SearchInput {
  readonly queries: readonly string[]
  readonly maxResults?: number
}

/** What the model is told. Read back from the conversation to know what was found. */
export interface SearchAnswer {
  readonly [key: string]: Json
  /** Offered from the next round on, best first. */
  readonly tools: readonly string[]
}

const INPUT = {
  type: 'object',
  properties: {
    queries: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: 10,
      description: 'One capability each, e.g. "send an email"',
    },
    maxResults: { type: 'integer', minimum: 1 },
  },
  required: ['queries'],
} as const

export const searchTool = (search: (input: SearchInput) => Promise<SearchAnswer>): ToolCallback =>
  tool({
    name: SEARCH_TOOL,
    description: 'Find tools by what they do; call them in your next turn.',
    input: INPUT,
    hints: { readOnly: true },
    execute: search,
  })

/** The names in a search's answer; none in what is no such answer, e.g. an error. */
export function namesIn(content: unknown): readonly string[] {
  if (typeof content !== 'string') return []
  try {
    const { tools } = Object(JSON.parse(content)) as { readonly tools?: unknown }
    return Array.isArray(tools) ? tools.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
