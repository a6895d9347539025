/** The offered tools as one JSON array text, cached per tools array and per definition. */
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import { fragmentCache } from './fragment-cache.ts'
import { wellFormedJson } from './well-formed-json.ts'

/** @param toWire one definition in the provider's dialect */
export function toolWireCache(
  toWire: (definition: ToolDefinition) => unknown,
): (tools: readonly ToolCallback[]) => string {
  const one = fragmentCache<ToolDefinition>((definition) => wellFormedJson(toWire(definition)))
  const known = new WeakMap<
    readonly ToolCallback[],
    { readonly length: number; readonly json: string }
  >()
  return (tools) => {
    const cached = known.get(tools)
    // Readonly to us, but its owner may still push to it.
    if (cached?.length === tools.length) return cached.json
    const json = `[${tools.map((tool) => one(tool.definition)).join(',')}]`
    known.set(tools, { length: tools.length, json })
    return json
  }
}
