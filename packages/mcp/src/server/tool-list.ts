/** The served tools as MCP lists them: under names that it allows, in the order of their sources. */
import type { Tool } from '@modelcontextprotocol/server'
import {
  allToolsOf,
  ConfigurationError,
  toWireName,
  type JsonSchema,
  type ToolCallback,
  type ToolListing,
  type ToolSource,
} from 'toolwright'

/** What is spoken with a client. `legacy`: 2025-11-25 and older. */
export type Era = 'legacy' | 'modern'

export interface ServedTool {
  /** What clients call it. */
  readonly name: string
  readonly callback: ToolCallback
}

export type ToolsByName = ReadonlyMap<string, ServedTool>

const NAMES = { pattern: /^[A-Za-z0-9_.-]+$/, maxLength: 128 }

export async function servedTools(
  sources: ToolSource,
  listing?: ToolListing,
): Promise<ToolsByName> {
  const callbacks = await allToolsOf(sources, listing)
  const served = callbacks.map((callback) => {
    const name = toWireName(NAMES, callback.definition.name)
    return [name, { name, callback }] as const
  })
  const tools = new Map(served)
  if (tools.size < served.length)
    throw new ConfigurationError('duplicate-tool', 'Two tools get the same name for MCP clients.')
  return tools
}

export function toListedTool({ name, callback }: ServedTool, era: Era): Tool {
  const { title, description, inputSchema, outputSchema } = callback.definition
  const output = outputSchema && listedOutput(outputSchema, era)
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: { ...inputSchema, type: 'object' } as Tool['inputSchema'],
    ...(output && { outputSchema: output as NonNullable<Tool['outputSchema']> }),
    annotations: annotationsOf(callback),
  }
}

/** A hint that the tool does not give is left out: clients then assume the worst. */
function annotationsOf({ definition, metadata }: ToolCallback): NonNullable<Tool['annotations']> {
  const { readOnly, destructive, idempotent, openWorld } = metadata?.hints ?? {}
  const { effect } = metadata ?? {}
  const isIdempotent = idempotent ?? (effect === 'idempotent' || undefined)
  const isReading = readOnly ?? (effect === 'read' || undefined)
  return {
    ...(definition.title !== undefined && { title: definition.title }),
    ...(isReading !== undefined && { readOnlyHint: isReading }),
    ...(destructive !== undefined && { destructiveHint: destructive }),
    ...(isIdempotent !== undefined && { idempotentHint: isIdempotent }),
    ...(openWorld !== undefined && { openWorldHint: openWorld }),
  }
}

/** Whether the older protocol gets the result as `{ result }`: it knows objects only. */
export const isWrapped = (schema: JsonSchema, era: Era): boolean =>
  era === 'legacy' && schema.type !== 'object'

/** Undefined where the schema cannot be moved into another: it is then not listed, and no structured result sent. */
export function listedOutput(schema: JsonSchema, era: Era): JsonSchema | undefined {
  if (!isWrapped(schema, era)) return schema
  const { $defs, definitions, $schema, $id: _id, ...result } = schema as { [key: string]: unknown }
  // References to anything but shared definitions would point into the wrapper.
  if (/"\$(?:ref|dynamicRef)":"#(?!\/(?:\$defs|definitions)\/)/.test(JSON.stringify(schema)))
    return undefined
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { result },
    required: ['result'],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  } as JsonSchema
}
