/** What a model gets to know about a tool. */
import type { Json } from '../messages/json.ts'
import type { Annotations } from '../messages/message.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** Always an object schema. A tool with another input wraps it as `{ value }`. */
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly title?: string
  /** Questions that this tool answers, for tool search. */
  readonly examples?: readonly string[]
  readonly inputExamples?: readonly Json[]
  readonly providerOptions?: Annotations['providerOptions']
}
