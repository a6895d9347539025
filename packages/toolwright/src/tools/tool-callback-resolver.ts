/**
 * Finds tools by name, for requests that name their tools. A name only offers a tool: a tool that the
 * request does not offer is never run, even if a resolver knows it.
 */
import type { ToolCallback } from './tool-callback.ts'

export interface ToolCallbackResolver {
  /** Returns the tool of this name, or undefined. Called when a run starts, before the model is asked. */
  resolve(name: string): ToolCallback | undefined | Promise<ToolCallback | undefined>
  /** All names, for suggestions. */
  names?(): readonly string[]
}
