/** Counts the tokens that tool definitions cost in every request. */
import type { ToolDefinition } from '../tools/tool-definition.ts'

export interface ToolTokensOptions {
  /** Counts the tokens of a text, e.g. with your model's tokenizer. Default: an estimate. */
  readonly tokenizer?: (text: string) => number
}

/**
 * The tokens of tool definitions as they are sent. The estimate is within a few percent of current
 * tokenizers for English definitions.
 *
 * @example
 * const cost = toolTokens(tools.map((tool) => tool.definition))
 */
export function toolTokens(
  definitions: readonly ToolDefinition[],
  { tokenizer = estimateTokens }: ToolTokensOptions = {},
): number {
  let total = 0
  for (const { name, description, inputSchema } of definitions)
    total += tokenizer(
      JSON.stringify({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      }),
    )
  return total
}

/**
 * Counts a short word as one token, a long word as more, a few signs in a row as one, and each letter of a
 * script without spaces as one.
 */
function estimateTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(PIECE))
    tokens += Math.max(1, Math.round(piece.length / (DIGIT.test(piece) ? 3 : 8)))
  return tokens
}

const PIECE = /[A-Z]?[a-z]+|[A-Z]+|\d+|[\p{L}\p{M}]|[^\p{L}\p{N}\s]{1,4}/gu
const DIGIT = /^\d/
