/** The offered tools as one JSON array text, cached per tools array and per definition. */
import { listCache } from '../../internal/list-cache.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import { fragmentCache } from './fragment-cache.ts'
import { wellFormedJson } from './well-formed-json.ts'

/** @param toWire one definition in the provider's dialect */
export function toolWireCache(
  toWire: (definition: ToolDefinition) => unknown,
): (tools: readonly ToolCallback[]) => string {
  const one = fragmentCache<ToolDefinition>((definition) => wellFormedJson(toWire(definition)))
  return listCache((tools) => `[${tools.map((tool) => one(tool.definition)).join(',')}]`)
}
