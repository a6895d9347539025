/**
 * What a suspended run seals of a tool. The description of a tool that calls tools may tell of all of them; those that it has
 * called are sealed by themselves, and the others may change while it waits.
 */
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'

export function sealedDefinition({ definition, metadata }: ToolCallback): ToolDefinition {
  const description = metadata?.composite?.sealedDescription
  return description === undefined ? definition : { ...definition, description }
}
