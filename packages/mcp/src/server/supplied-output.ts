/** The schema of a result that a client supplies: that of the tool which is served, or of one that it calls. */
import {
  toolsOf,
  type JsonSchema,
  type PendingCall,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'

/** Undefined also where the tools inside cannot be named without asking for them: the result is taken as text then. */
export function suppliedOutput(
  { definition, metadata }: ToolCallback,
  { toolName, parentCallId }: PendingCall,
): JsonSchema | undefined {
  if (parentCallId === undefined) return definition.outputSchema
  const { tools = [] } = metadata.composite ?? {}
  if (typeof tools === 'function') return undefined
  const inside = tools.flatMap((source) => listed(source as ToolSource))
  return inside.find((each) => each.definition.name === toolName)?.definition.outputSchema
}

function listed(source: ToolSource): readonly ToolCallback[] {
  try {
    return toolsOf(source)
  } catch {
    // A provider has to be asked for its tools.
    return []
  }
}
