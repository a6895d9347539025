/** A whole answer to `tools/call`: what the model gets of it, and what the application does. */
import type { Json, ToolOutput } from 'toolwright'
import { partsOfBlocks } from './from-blocks.ts'

/** The `value` of a `tool-result` event: the answer as the server gave it. */
export interface McpToolResult {
  readonly content: readonly Json[]
  readonly structuredContent?: Json
  readonly isError?: boolean
  readonly _meta?: { readonly [key: string]: Json }
}

export interface ReadResult {
  readonly output: ToolOutput
  readonly problems: readonly string[]
}

/** One form, never both: the content, or what is structured if there is none. */
export function readResult(result: McpToolResult): ReadResult {
  const { content, structuredContent } = result
  if (content.length === 0)
    return {
      output: structuredContent === undefined ? 'Done' : JSON.stringify(structuredContent),
      problems: [],
    }
  const { parts, problems } = partsOfBlocks(content)
  const [only] = parts
  return { output: parts.length === 1 && only?.type === 'text' ? only.text : parts, problems }
}

/** The words of an answer, for an error. */
export function wordsOf({ content, structuredContent }: McpToolResult): string {
  const { parts } = partsOfBlocks(content)
  const words = parts
    .map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
    .join('\n')
  return (
    words ||
    (structuredContent === undefined ? 'It gave no reason.' : JSON.stringify(structuredContent))
  )
}
