/** What the lint says: something that makes a model choose or call a tool badly. Types only. */
import type { ToolDefinition } from 'toolwright'

export type Rule = 'description' | 'parameter' | 'name' | 'confusable' | 'budget'

export interface Finding {
  readonly rule: Rule
  /** The tool it is about; absent when it is about all of them. */
  readonly tool?: string
  /** What was found, in one sentence. */
  readonly message: string
  /** What to do, in one sentence. */
  readonly fix: string
}

/** What can be seen of one tool alone. */
export type ToolCheck = (definition: ToolDefinition) => readonly Finding[]
