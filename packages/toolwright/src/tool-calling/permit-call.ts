/**
 * Step 4 of a call's walk: permit. Asks the policy and the tool whether a call may run, and after a resume
 * reads what was decided. Loaded on demand: most tools need no permission.
 */
import { ResumeError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import type { Json } from '../messages/json.ts'
import type { ToolCall } from '../messages/message.ts'
import type { PendingCall } from '../messages/run-state.ts'
import { valueAt } from '../schema/json-object.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { Batch, PreparedCall, ReadyCall } from './call.ts'
import { checkInput, contextFor, refuse, refuseUnknown, toolNamed, waiting } from './check-call.ts'
import { runLabel } from './run-label.ts'

/** The limits were counted before; the policy decides next, then the tool. */
export async function permit(batch: Batch, ready: ReadyCall): Promise<PreparedCall> {
  const { call, tool, input } = ready
  const { preview, suppliedResult } = tool.metadata ?? DEFAULT_METADATA
  const context = contextFor(batch, ready)
  const verdict = await policyVerdict(batch, ready, context)
  if (typeof verdict === 'object') return refuse(call, verdict.deny)
  const reason = await reasonToAsk(ready, verdict, context)
  if (!reason && !suppliedResult) return ready
  const outcome = waiting(ready, {
    kind: suppliedResult ? 'result' : 'approval',
    ...(reason && { reason }),
    ...(preview && { preview: await orWords('preview', () => preview(input as never, context)) }),
  })
  return { kind: 'settled', call, outcome }
}

async function policyVerdict(
  { manager: { policy }, prompt }: Batch,
  { call, tool, input }: ReadyCall,
  context: ToolContext,
): Promise<'allow' | 'ask' | { readonly deny: string }> {
  if (!policy) return 'allow'
  const { definition, metadata } = tool
  const labels = { tool: metadata?.labels, run: runLabel(prompt.messages) }
  const asked = { callId: call.id, toolName: call.name, input, definition, labels }
  // Words about its failure are no verdict, so they deny; the model does not get to see them.
  const verdict = await orWords('policy', () => policy(asked, context))
  if (verdict === 'allow' || verdict === 'ask') return verdict
  const { deny } = Object(verdict) as { readonly deny?: unknown }
  return { deny: typeof deny === 'string' ? deny : 'the policy does not allow it.' }
}

async function reasonToAsk(
  { tool, input }: ReadyCall,
  verdict: 'allow' | 'ask',
  context: ToolContext,
): Promise<string | undefined> {
  const { approval, hints } = tool.metadata ?? DEFAULT_METADATA
  if (verdict === 'ask') return 'The policy asks for approval.'
  if (hints?.destructive) return 'The tool is destructive.'
  const asks =
    typeof approval === 'function'
      ? await orWords('approval rule', () => approval(input as never, context))
      : approval
  return asks === true ? 'The call needs approval.' : asks || undefined
}

/** Runs a function of the application. If it fails, returns words about the failure. */
async function orWords<T>(what: string, run: () => T | Promise<T>): Promise<T | string> {
  try {
    return await run()
  } catch (thrown) {
    return `The ${what} failed: ${redact(messageOfThrown(thrown))}`
  }
}

/** A call that waited, and what was decided about it. Bad decisions throw: nothing has run, the state stays usable. */
export async function prepareDecided(
  batch: Batch,
  call: ToolCall,
  pending: PendingCall,
): Promise<PreparedCall> {
  const decision = valueAt(batch.run.decisions, [call.id])
  if (decision === undefined) return { kind: 'settled', call, outcome: { pending } }
  const tool = toolNamed(batch, call.name)
  if (!tool) return refuseUnknown(batch, call)
  const given = Object(decision) as { readonly [kind: string]: unknown }
  if ('deny' in given) return refuse(call, `denied. ${given.deny as string}`.trim())
  if ('result' in given) return { kind: 'supplied', call, tool, value: given.result }
  const isEdited = 'edit' in given
  const text = jsonText(isEdited ? given.edit : pending.input)
  const ready = await checkInput(batch, { call, tool, text })
  if (ready.kind === 'refused') throw invalidEdit(ready.why)
  if (!isEdited)
    return 'answer' in given
      ? { ...ready, answers: [...ready.answers, given.answer as Json], asked: pending.question }
      : ready
  const verdict = await policyVerdict(batch, ready, contextFor(batch, ready))
  if (typeof verdict === 'object') throw invalidEdit(verdict.deny)
  return { ...ready, edited: true }
}

/** What has no JSON is no object either, and refused as such. */
function jsonText(input: unknown): string {
  try {
    return JSON.stringify(input) ?? 'null'
  } catch {
    return 'null'
  }
}

const invalidEdit = (message: string): ResumeError =>
  new ResumeError('decision-invalid-edit', message)
