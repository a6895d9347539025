/** What composing gives: the schema that a model answers by, and the tools behind it. */
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AgentNotice } from '../agent-message.ts'
import type { CollectedTool } from './collect-tools.ts'

export interface ComposedTool extends CollectedTool {
  /** The tool as the model sees it; its references point into `schema.$defs`. */
  readonly item: JsonSchema
}

export interface Composed {
  readonly schema: JsonSchema
  /** The schema that the model gets: `schema` itself, or its strict form. */
  readonly sent: JsonSchema
  readonly tools: ReadonlyMap<string, ComposedTool>
  readonly instances: readonly string[]
  readonly notices: readonly AgentNotice[]
}
