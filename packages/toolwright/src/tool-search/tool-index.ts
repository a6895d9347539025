/**
 * The contract of a tool index: what it stores, for which session, and how a search answers. Sessions do
 * not see each other. `toolIndexContract` checks an implementation.
 */
import type { JsonSchema } from '../schema/json-schema.ts'

/** The data of a tool that an index stores. */
export interface ToolReference {
  readonly name: string
  readonly description: string
  /** The names, descriptions and allowed values of the parameters are searched too. */
  readonly inputSchema?: JsonSchema
  /** Questions that the tool answers, in a user's words. */
  readonly examples?: readonly string[]
}

export interface ToolSearchRequest {
  readonly session: string
  /** One capability in words, or what else the index accepts: a pattern, a name. */
  readonly query: string
  /** The most tools to return, at least 1. Default 10. */
  readonly maxResults?: number
}

export interface FoundTool {
  readonly name: string
  /** Higher is better. Scores are comparable within one result only. */
  readonly score: number
  /** The first sentence of the description. */
  readonly summary: string
}

export interface ToolSearchResult {
  /** Best first; equal scores are ordered by name. */
  readonly references: readonly FoundTool[]
  /** How many tools matched, before `maxResults` applies. */
  readonly total: number
  /** Something worth knowing that is not an error, e.g. that another index answered for one that failed. */
  readonly notice?: string
}

export interface ToolIndex {
  /** Adds tools to a session, or replaces those of the same name. Other tools stay. */
  index(session: string, references: readonly ToolReference[]): Promise<void>
  /** Removes tools from a session. Unknown names are ignored. */
  remove(session: string, names: readonly string[]): Promise<void>
  /** Searches. A blank query or a session without tools finds nothing. */
  search(request: ToolSearchRequest): Promise<ToolSearchResult>
  /** Removes a session. */
  clear(session: string): Promise<void>
}

export const DEFAULT_MAX_RESULTS = 10
export const NOTHING_FOUND: ToolSearchResult = { references: [], total: 0 }
