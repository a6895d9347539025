/** A lint finding: something that makes a model choose or call a tool badly. Types only. */
import type { ToolDefinition } from 'toolwright'

export type Rule = 'description' | 'parameter' | 'name' | 'confusable' | 'budget'

export interface Finding {
  readonly rule: Rule
  /** The tool's name; missing if the finding is about all tools. */
  readonly tool?: string
  /** What was found, in one sentence. */
  readonly message: string
  /** What to do, in one sentence. */
  readonly fix: string
}

/** A check of a single tool. */
export type ToolCheck = (definition: ToolDefinition) => readonly Finding[]
