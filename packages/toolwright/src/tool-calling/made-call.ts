/** Tells a call that a tool makes again from another one of the same index. */
import type { ToolCall } from '../messages/message.ts'
import type { Batch } from './call.ts'
import { callHash } from './call-hash.ts'
import { jsonOf, toolNamed } from './check-call.ts'

/** The hash of what the call asks, coerced as the tool would get it; undefined if it asks nothing that could wait. */
export async function madeBy(batch: Batch, call: ToolCall): Promise<string | undefined> {
  const tool = toolNamed(batch, call.name)
  if (!tool) return undefined
  try {
    return await callHash(call.name, jsonOf({ tool, text: call.arguments }))
  } catch {
    return undefined
  }
}
