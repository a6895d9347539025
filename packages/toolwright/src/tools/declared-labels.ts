/** What a tool declares about the data that flows through it. One that reaches systems of others counts by default as what strangers are. */
import type { Label } from '../messages/message.ts'
import type { ToolCallback } from './tool-callback.ts'
import type { ToolLabels } from './tool-metadata.ts'

/** What it does not say itself is said by `openWorld`: such a tool sends, and cannot be trusted. */
export function declaredLabels({ metadata }: ToolCallback): ToolLabels | undefined {
  const { labels, hints } = metadata ?? {}
  return hints?.openWorld ? { emits: 'untrusted', sends: true, ...labels } : labels
}

/** The label of what a tool says. */
export function labelOf(tool: ToolCallback): Label | undefined {
  const { emits, reads } = declaredLabels(tool) ?? {}
  if (!emits && !reads) return undefined
  return {
    trust: emits ?? 'trusted',
    ...(reads && { private: true as const }),
    source: tool.definition.name,
  }
}
