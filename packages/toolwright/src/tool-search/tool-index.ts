/**
 * The contract of a tool index: what can be found, by whom, and how a search answers. Sessions are apart
 * from each other. Anything with these four methods is an index; `toolIndexContract` checks one.
 */
import type { JsonSchema } from '../schema/json-schema.ts'

/** What an index knows of a tool. */
export interface ToolReference {
  readonly name: string
  readonly description: string
  /** Names, descriptions and allowed values of the parameters are searched too. */
  readonly inputSchema?: JsonSchema
  /** Questions that the tool answers, in the words of whoever asks. */
  readonly examples?: readonly string[]
}

export interface ToolSearchRequest {
  readonly session: string
  /** One capability in words, or what the index takes: a pattern, a name. */
  readonly query: string
  /** At most so many tools, at least 1. Default 10. */
  readonly maxResults?: number
}

export interface FoundTool {
  readonly name: string
  /** Higher is better; comparable within one answer only. */
  readonly score: number
  /** The first sentence of the description. */
  readonly summary: string
}

export interface ToolSearchResult {
  /** Best first; equal scores in the order of their names. */
  readonly references: readonly FoundTool[]
  /** How many tools matched, before `maxResults`. */
  readonly total: number
  /** Worth knowing, not an error: another index answered for one that failed. */
  readonly notice?: string
}

export interface ToolIndex {
  /** Adds tools to a session, or replaces those of the same name; the others stay. */
  index(session: string, references: readonly ToolReference[]): Promise<void>
  /** Takes tools out of a session. Names it does not have are ignored. */
  remove(session: string, names: readonly string[]): Promise<void>
  /** A blank query and a session without tools find nothing. */
  search(request: ToolSearchRequest): Promise<ToolSearchResult>
  /** Forgets a session. */
  clear(session: string): Promise<void>
}

export const DEFAULT_MAX_RESULTS = 10
export const NOTHING_FOUND: ToolSearchResult = { references: [], total: 0 }
