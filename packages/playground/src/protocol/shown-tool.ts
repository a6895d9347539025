/** Tools as the page shows them. Types only. */
import type { JsonSchema, Json, ToolEffect, ToolHints } from 'toolwright'

export interface ToolList {
  /** Grows whenever the tools have changed. */
  readonly revision: number
  readonly tools: readonly ShownTool[]
  /** What was found about several tools together. */
  readonly findings: readonly ToolFinding[]
  /** About how many tokens all definitions take in every request. */
  readonly tokens: number
  /** Why the newest version of a file could not be loaded. The tools are those from before. */
  readonly problem?: string
  /** Tools of servers that are not offered, and why. */
  readonly quarantined: readonly string[]
}

export interface ShownTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** The file or server it comes from, as in `Session.sources`. */
  readonly source: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly inputExamples: readonly Json[]
  readonly hints: ToolHints
  readonly effect: ToolEffect
  /** Whether a person is asked before it runs; `maybe`: its own rule decides by the arguments. */
  readonly asks: 'always' | 'maybe' | 'never'
  /** It has no code of its own: whoever calls it supplies the result. */
  readonly isSupplied: boolean
  readonly returnDirect: boolean
  /** About how many tokens its definition takes. */
  readonly tokens: number
  readonly findings: readonly ToolFinding[]
}

/** Something that makes a model choose or call a tool badly. */
export interface ToolFinding {
  readonly rule: string
  readonly message: string
  readonly fix: string
}
