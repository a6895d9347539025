/** The input schema of a tool in the language of one provider. */
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'

/** A language of schemas that a provider takes. */
export type SchemaLanguage = 'openai' | 'openai-strict' | 'anthropic' | 'google' | 'ollama'

export interface ToolSchema {
  readonly schema: JsonSchema
  /** The provider may be told to hold the arguments to it. */
  readonly isStrict: boolean
}

export function toolSchema(definition: ToolDefinition, _language: SchemaLanguage): ToolSchema {
  return { schema: definition.inputSchema, isStrict: false }
}
