/**
 * What a model reads of the tools that its program may call: TypeScript declarations, made from the schemas of inputs and
 * outputs. They take fewer tokens than the same schemas as JSON. Descriptions are other people's words: they stay inside
 * their comments, whatever is in them.
 */
import type { ToolDefinition } from 'toolwright'
import { docComment, LONGEST_TOOL_WORDS } from './doc-comment.ts'
import { keyOf } from './literal-type.ts'
import { SchemaTypes } from './schema-types.ts'

/** What of a tool is declared. */
export type DeclaredTool = Pick<
  ToolDefinition,
  'name' | 'description' | 'inputSchema' | 'outputSchema'
>

export interface ToolDeclarations {
  /** The types that schemas name, then `declare const tools: { … }`. */
  readonly text: string
  /** About how many tokens the text takes: a quarter of its characters. */
  readonly tokens: number
}

/**
 * Declares `tools` for programs. A description is cut at 300 characters, that of a parameter at 120. A tool without
 * an output schema gives `Promise<unknown>`.
 *
 * @example
 * const { text, tokens } = declareTools([weather.definition])
 */
export function declareTools(tools: readonly DeclaredTool[]): ToolDeclarations {
  const types = new SchemaTypes()
  const members = tools.map((tool) => declaration(tool, types))
  const all = members.length === 0 ? '{}' : `{\n${members.join('\n')}\n}`
  const text = [...types.declarations, `declare const tools: ${all}`].join('\n')
  return { text, tokens: tokensOf(text) }
}

/**
 * Declares what programs have besides `tools`, for whoever lets a compiler check them.
 *
 * @example
 * const text = `${declareGlobals({ hasSearch: false })}\n${declareTools(tools).text}`
 */
export function declareGlobals({ hasSearch }: { readonly hasSearch: boolean }): string {
  const search = 'declare function searchTools(query: string): Promise<unknown>'
  return [...GLOBALS, ...(hasSearch ? [search] : [])].join('\n')
}

const GLOBALS: readonly string[] = [
  '/** Calls a tool by its name. */',
  'declare function callTool(name: string, input?: object): Promise<any>',
  '/** What a call that failed rejects with. */',
  'declare class ToolError extends Error {',
  '  readonly code: "unknown-tool" | "invalid-arguments" | "limit" | "denied" | "failed" | "timeout" | "output"',
  '  readonly tool: string',
  '}',
]

const tokensOf = (text: string): number => Math.ceil(text.length / 4)

function declaration(tool: DeclaredTool, types: SchemaTypes): string {
  const { name, description, inputSchema, outputSchema } = tool
  const comment = docComment(description, { longest: LONGEST_TOOL_WORDS, indent: '  ' })
  const input = types.of(inputSchema, '  ')
  const mark = (inputSchema.required ?? []).length === 0 ? '?' : ''
  const output = outputSchema === undefined ? 'unknown' : types.of(outputSchema, '  ')
  return `${comment}  ${keyOf(name)}(input${mark}: ${input}): Promise<${output}>`
}
