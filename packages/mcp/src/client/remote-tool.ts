/** A tool of a server as a tool of toolwright: it takes the same walk as every other. */
import { tool, type StandardJsonSchema, type ToolCallback, type ToolDefinition } from 'toolwright'
import { readResult, type McpToolResult } from '../content/tool-result.ts'
import { heldHints } from '../remote/tightened-hints.ts'
import { callRemote, type ServerParts } from './call-remote.ts'
import type { Kept } from './kept-question.ts'
import type { RemoteDefinition } from './remote-definition.ts'

export function remoteTool(
  name: string,
  definition: RemoteDefinition,
  parts: ServerParts,
): ToolCallback {
  const { trust = 'untrusted' } = parts.options
  const { hints, effect, approval, labels, repeatable } = heldHints(definition.hints, trust)
  const { title, description, inputSchema } = definition
  const called = { definition, repeatable }
  const made = tool({
    name,
    ...(title && { title }),
    ...(description && { description }),
    input: asStandard(inputSchema),
    hints,
    effect,
    approval,
    labels,
    // The time of a call is counted here, because progress starts it anew.
    timeoutMs: 'unlimited',
    execute: (input, context) => callRemote(parts, called, { input: input as object, context }),
    resultConverter: (result) => readResult(result as McpToolResult).output,
  })
  return {
    ...made,
    definition: asListed(made.definition, definition),
    metadata: { ...made.metadata, denied: (kept) => giveUpHeld(parts, kept as unknown as Kept) },
  }
}

/** What `tool()` leaves out, for those who read definitions: it goes to no model. */
const asListed = (
  made: ToolDefinition,
  { inputSchema: { $schema }, outputSchema }: RemoteDefinition,
): ToolDefinition => ({
  ...made,
  ...($schema !== undefined && { inputSchema: { $schema, ...made.inputSchema } }),
  // Not an option of the tool: a result that does not fit is told, and goes to the model all the same.
  ...(outputSchema && { outputSchema }),
})

/** The server still holds the call open whose question was denied. */
function giveUpHeld({ held }: ServerParts, kept: Kept): void {
  if (kept.kind === 'held') held.giveUp(kept.token)
}

/** A schema that the server wrote: its oddities are not mistakes of this program. */
const asStandard = (schema: object): StandardJsonSchema => ({
  '~standard': {
    version: 1,
    vendor: 'mcp',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => schema as never, output: () => schema as never },
  },
})
