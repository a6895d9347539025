/**
 * Finds tools by name, for requests that name their tools instead of holding them. A name makes a tool
 * offered, nothing more: a tool that a request does not offer is never run, whoever could find it.
 */
import type { ToolCallback } from './tool-callback.ts'

export interface ToolCallbackResolver {
  /** The tool of this name, or undefined. Asked when a run starts, before the model is. */
  resolve(name: string): ToolCallback | undefined | Promise<ToolCallback | undefined>
  /** All names, for suggestions. */
  names?(): readonly string[]
}
