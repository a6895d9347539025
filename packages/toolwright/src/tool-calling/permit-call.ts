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
import { inTime, type TimeLimit } from '../ports/in-time.ts'
import { valueAt } from '../schema/json-object.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { Batch, PreparedCall, ReadyCall } from './call.ts'
import { timeLimitOf } from './call-time.ts'
import { checkInput, contextFor, refuse, refuseUnknown, toolNamed, waiting } from './check-call.ts'
import { runLabel } from './run-label.ts'

/** The limits were counted before; the policy decides next, then the tool. */
export async function permit(batch: Batch, ready: ReadyCall): Promise<PreparedCall> {
  const { call, tool, input } = ready
  const { preview, suppliedResult } = tool.metadata ?? DEFAULT_METADATA
  const context = contextFor(batch, ready)
  const limit = timeLimitOf(batch, tool)
  const verdict = await policyVerdict(batch, ready, context)
  if (typeof verdict === 'object') return refuse(call, verdict.deny)
  const reason = await reasonToAsk(ready, verdict, { context, limit })
  if (!reason && !suppliedResult) return ready
  const outcome = waiting(ready, {
    kind: suppliedResult ? 'result' : 'approval',
    ...(reason && { reason }),
    ...(preview && {
      preview: await orWords('preview', limit, () => preview(input as never, context)),
    }),
  })
  return { kind: 'settled', call, outcome }
}

async function policyVerdict(
  batch: Batch,
  { call, tool, input }: ReadyCall,
  context: ToolContext,
): Promise<'allow' | 'ask' | { readonly deny: string }> {
  const { manager, prompt } = batch
  const { policy } = manager
  if (!policy) return 'allow'
  const { definition, metadata } = tool
  const labels = { tool: metadata?.labels, run: runLabel(prompt.messages) }
  const asked = { callId: call.id, toolName: call.name, input, definition, labels }
  // Words about its failure are no verdict, so they deny; the model does not get to see them.
  const verdict = await orWords('policy', timeLimitOf(batch, tool), () => policy(asked, context))
  if (verdict === 'allow' || verdict === 'ask') return verdict
  const { deny } = Object(verdict) as { readonly deny?: unknown }
  return { deny: typeof deny === 'string' ? deny : 'the policy does not allow it.' }
}

interface Deciding {
  readonly context: ToolContext
  readonly limit: TimeLimit
}

async function reasonToAsk(
  { tool, input }: ReadyCall,
  verdict: 'allow' | 'ask',
  { context, limit }: Deciding,
): Promise<string | undefined> {
  const { approval, hints } = tool.metadata ?? DEFAULT_METADATA
  if (verdict === 'ask') return 'The policy asks for approval.'
  if (hints?.destructive) return 'The tool is destructive.'
  const asks =
    typeof approval === 'function'
      ? await orWords('approval rule', limit, () => approval(input as never, context))
      : approval
  if (!asks) return undefined
  return typeof asks === 'string' ? asks : 'The call needs approval.'
}

/** Runs a function of the application. If it fails, or takes too long, returns words about that. */
async function orWords<T>(
  what: string,
  limit: TimeLimit,
  run: () => T | Promise<T>,
): Promise<T | string> {
  try {
    const given = run()
    if (typeof given !== 'object' || given === null) return given
    const late = (): string => `The ${what} gave no answer within ${limit.ms} ms.`
    return await inTime<T | string>(limit, Promise.resolve(given), late)
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
