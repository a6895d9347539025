/**
 * The first steps of a call's walk: 1 find · 2 parse · 3 check, and whether anybody must permit it. Nothing
 * has an effect here; whatever refuses a call becomes a response that the model can read.
 */
import type { ToolCall } from '../messages/message.ts'
import { loadPermitCall } from '../on-demand.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { Batch, PreparedCall } from './call.ts'
import { checkInput, refuse, refuseUnknown, toolNamed } from './check-call.ts'

export async function prepareCall(batch: Batch, call: ToolCall): Promise<PreparedCall> {
  const { run, prompt, generation } = batch
  if (run.answered) {
    const response = run.answered.find(({ id }) => id === call.id)
    if (response) return { kind: 'settled', call, outcome: { response } }
  }
  const reopened = batch.reopened?.prepare(batch, call)
  if (reopened) return reopened
  const pending = run.state?.pending.find(({ callId }) => callId === call.id)
  if (pending) return (await loadPermitCall()).prepareDecided(batch, call, pending)

  const broken = BLOCKED[generation.finishReason]
  if (broken) return refuse(call, 'answer-cut', broken)
  if (prompt.options?.toolChoice === 'none') return refuse(call, 'tools-off', NO_TOOLS_NOW)
  const overLimit = batch.counter.refusal(call)
  const tool = toolNamed(batch, call.name)
  if (!tool) return refuseUnknown(batch, call)
  if (overLimit) return refuse(call, 'run-limit', overLimit)
  const checked = await checkInput(batch, { call, tool, text: call.arguments })
  if (checked.kind === 'refused') return checked
  const { approval, hints, suppliedResult } = tool.metadata ?? DEFAULT_METADATA
  const isAsked = batch.manager.policy || approval || hints?.destructive || suppliedResult
  return isAsked ? (await loadPermitCall()).permit(batch, checked) : checked
}

/** Finish reasons of answers whose calls may not be what the model meant. */
const BLOCKED: { readonly [reason: string]: string } = {
  length: 'your answer was cut off at the token limit. Call again, shorter.',
  'content-filter': 'your answer was filtered.',
}
const NO_TOOLS_NOW = 'tools are off. Answer in text.'
