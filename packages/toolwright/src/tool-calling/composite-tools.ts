/** The tools that a composite tool may call. */
import { NONE } from '../internal/nothing.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import { orToolSourceError, type Asking, type ToolSource } from '../tools/tool-source.ts'

export async function compositeTools(
  { definition, metadata }: ToolCallback,
  asking: Asking,
): Promise<readonly ToolCallback[]> {
  const { tools: declared = NONE } = metadata?.composite ?? {}
  const given =
    typeof declared === 'function'
      ? await orToolSourceError(`Tool "${definition.name}", asked for what it calls,`, declared, asking) // prettier-ignore
      : declared
  // A list of its own: whoever declared it may change it while calls are made.
  return resolveTools({ tools: [given] as readonly ToolSource[] }, undefined, asking)
}
