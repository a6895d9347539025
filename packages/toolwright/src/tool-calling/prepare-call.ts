/**
 * The first four steps of a call's walk: 1 find · 2 parse · 3 check · 4 permit. Nothing has an effect here;
 * who has a say about calls is loaded with the first call that somebody has a say about.
 */
import type { ToolCall } from '../messages/message.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { Batch } from './batch.ts'
import { checkInput, refuse, unknownTool, type PreparedCall } from './check-call.ts'

export async function prepareCall(batch: Batch, call: ToolCall): Promise<PreparedCall> {
  const { run, prompt, generation } = batch
  const response = run.answered?.find(({ id }) => id === call.id)
  if (response) return { kind: 'settled', call, outcome: { response } }
  const pending = run.state?.pending.find(({ callId }) => callId === call.id)
  if (pending) return (await import('./permit-call.ts')).prepareDecided(batch, call, pending)

  const blocked =
    BLOCKED[generation.finishReason] ?? (prompt.options?.toolChoice === 'none' && NO_TOOLS_NOW)
  if (blocked) return refuse(call, blocked)
  const overLimit = batch.counter.count(call)
  const tool = batch.toolsByName.get(call.name)
  if (!tool) return refuse(call, unknownTool(batch, call.name))
  if (overLimit) return refuse(call, overLimit)
  const checked = await checkInput(batch, { call, tool, text: call.arguments })
  if (checked.kind === 'refused') return checked
  const { approval, hints, suppliedResult } = tool.metadata ?? DEFAULT_METADATA
  const asked = batch.settings.policy || approval || hints?.destructive || suppliedResult
  return asked ? (await import('./permit-call.ts')).permit(batch, checked) : checked
}

/** Finish reasons of answers whose calls may not be what the model meant. */
const BLOCKED: { readonly [reason: string]: string } = {
  length: 'your answer was cut off at the token limit. Call again, shorter.',
  'content-filter': 'your answer was filtered.',
}
const NO_TOOLS_NOW = 'tools are off. Answer in text.'
