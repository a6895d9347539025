/** Finds tools by name, for requests that name their tools instead of holding them. */
import type { ToolCallback } from './tool-callback.ts'

export interface ToolCallbackResolver {
  /** The tool of this name, or undefined. */
  resolve(name: string): ToolCallback | undefined | Promise<ToolCallback | undefined>
  /** All names, for suggestions. */
  names?(): readonly string[]
}
