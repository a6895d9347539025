/** Turns the response to a call into a result of MCP: blocks, and the structured copy that an output schema promises. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { JsonSchema, ToolResponse } from 'toolwright'
import { textBlock, toBlocks } from '../content/to-blocks.ts'
import { isWrapped, listedOutput, type Era, type ServedTool } from './tool-list.ts'

export interface Answered {
  readonly response: ToolResponse
  /** What the tool returned, before it was converted. */
  readonly value?: unknown
}

export function toResult(
  { callback }: ServedTool,
  { response, value }: Answered,
  era: Era,
): CallToolResult {
  const content = toBlocks(response.content)
  if (response.isError) return { content, isError: true }
  const { name, outputSchema } = callback.definition
  if (!outputSchema || !listedOutput(outputSchema, era)) return { content }
  const structured = structuredOf(response, value)
  if (structured === undefined) return errorResult(whyNotStructured(name, response))
  return { content, structuredContent: wrapped(structured.json, outputSchema, era) }
}

export const errorResult = (text: string): CallToolResult => ({
  content: [textBlock(text)],
  isError: true,
})

const wrapped = (json: unknown, schema: JsonSchema, era: Era): { [key: string]: unknown } =>
  (isWrapped(schema, era) ? { result: json } : json) as { [key: string]: unknown }

/** Read from what the tool's converter made, never from the raw value: a converter may take secrets out. */
function structuredOf(
  { content }: ToolResponse,
  value: unknown,
): { readonly json: unknown } | undefined {
  const text = typeof content === 'string' ? content : onlyText(content)
  if (text === undefined) return undefined
  if (typeof value === 'string' && value === text) return { json: text }
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function onlyText(parts: Exclude<ToolResponse['content'], string>): string | undefined {
  const [part] = parts
  return parts.length === 1 && part?.type === 'text' ? part.text : undefined
}

function whyNotStructured(name: string, { content }: ToolResponse): string {
  const isCut =
    typeof content === 'string' && /\[\.\.\. \d+ of \d+ bytes left out \.\.\.\]/.test(content)
  return isCut
    ? `Tool "${name}" ran, but its result is larger than this server sends. Ask for less.`
    : `Tool "${name}" ran, but its result is not the JSON that its output schema promises.`
}
