/** The search tool that the model sees first: it takes capabilities and returns tool names. */
import type { Json } from '../../messages/json.ts'
import { tool } from '../../tools/tool.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'

export const SEARCH_TOOL = 'toolSearchTool'

export interface SearchInput {
  readonly queries: readonly string[]
  readonly maxResults?: number
}

/** The result that the model gets. It is also read back from the conversation, to know what was found. */
export interface SearchAnswer {
  readonly [key: string]: Json
  /** The tools found, best first. They are offered from the next round on. */
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

/** The names in a search result; empty if the content is not one, e.g. an error. */
export function namesIn(content: unknown): readonly string[] {
  if (typeof content !== 'string') return []
  try {
    const { tools } = Object(JSON.parse(content)) as { readonly tools?: unknown }
    return Array.isArray(tools) ? tools.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
