/**
 * Step 4 of a call's walk: permit. Asks the policy and the tool whether a call may run, and after a resume
 * reads what was decided. Loaded on demand: most tools need no permission.
 */
import { ResumeError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { frozenCopy } from '../internal/frozen-copy.ts'
import type { Json } from '../messages/json.ts'
import type { ToolCall } from '../messages/message.ts'
import type { PendingCall } from '../messages/run-state.ts'
import { inTime, type TimeLimit } from '../ports/in-time.ts'
import { valueAt } from '../schema/json-object.ts'
import { remembered } from '../schema/remembered.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { Batch, CallOutcome, PreparedCall, ReadyCall } from './call.ts'
import { timeLimitOf } from './call-time.ts'
import { checkInput, contextFor, jsonOf, refuse, refuseUnknown, toolNamed } from './check-call.ts'
import { plainJson } from './plain-json.ts'
import type { PolicyCall } from './policy.ts'
import { runLabel } from '../messages/run-label.ts'

/** The limits were counted before; the policy decides next, then the tool. */
export async function permit(batch: Batch, ready: ReadyCall): Promise<PreparedCall> {
  const { call, tool } = ready
  const { preview, suppliedResult } = tool.metadata ?? DEFAULT_METADATA
  const context = contextFor(batch, ready)
  const limit = timeLimitOf(batch, tool)
  const verdict = await policyVerdict(batch, ready, context)
  if (typeof verdict === 'object') return refuse(call, verdict.deny)
  const reason = await reasonToAsk(batch, ready, verdict)
  if (!reason && !suppliedResult) return ready
  const input = preview && (await inputToShow(batch, ready))
  const outcome = waiting(ready, {
    kind: suppliedResult ? 'result' : 'approval',
    ...(reason && { reason }),
    ...(preview && {
      preview: await orWords('preview', limit, () => preview(input as never, context)),
    }),
  })
  return { kind: 'settled', call, outcome }
}

/** A call that has to wait, and what whoever decides about it is shown. */
export const waiting = (
  ready: ReadyCall,
  { preview, question, ...why }: Pick<PendingCall, 'kind' | 'reason' | 'preview' | 'question'>,
): CallOutcome => ({
  pending: {
    callId: ready.call.id,
    toolName: ready.call.name,
    input: jsonOf(ready),
    ...why,
    ...(preview !== undefined && { preview: plainJson(preview) }),
    ...(question !== undefined && { question: plainJson(question) }),
  },
})

async function policyVerdict(
  batch: Batch,
  ready: ReadyCall,
  context: ToolContext,
): Promise<'allow' | 'ask' | { readonly deny: string }> {
  const { policy } = batch.manager
  if (!policy) return 'allow'
  const { call, tool } = ready
  const asked: PolicyCall = {
    callId: call.id,
    toolName: call.name,
    input: await inputToShow(batch, ready),
    definition: remembered(definitions, tool.definition, () => frozenCopy(tool.definition)),
    labels: { tool: frozenCopy(tool.metadata?.labels), run: runLabel(batch.prompt.messages) },
  }
  // Words about its failure are no verdict, so they deny; the model does not get to see them.
  const verdict = await orWords('policy', timeLimitOf(batch, tool), () => policy(asked, context))
  if (verdict === 'allow' || verdict === 'ask') return verdict
  const { deny } = Object(verdict) as { readonly deny?: unknown }
  return { deny: typeof deny === 'string' ? deny : 'the policy does not allow it.' }
}

/** Copies of definitions, for policies to look at. */
const definitions = new WeakMap<ToolDefinition, ToolDefinition>()

/** The input for whoever decides about the call: checked anew, so that changing it does not change what runs. */
async function inputToShow(batch: Batch, ready: ReadyCall): Promise<unknown> {
  const again = await checkInput(batch, ready)
  return again.kind === 'ready' ? again.input : jsonOf(ready)
}

const NEEDS_APPROVAL = 'The call needs approval.'

async function reasonToAsk(
  batch: Batch,
  ready: ReadyCall,
  verdict: 'allow' | 'ask',
): Promise<string | undefined> {
  const { approval, hints } = ready.tool.metadata ?? DEFAULT_METADATA
  if (verdict === 'ask') return 'The policy asks for approval.'
  if (hints?.destructive) return 'The tool is destructive.'
  if (typeof approval !== 'function') return approval ? NEEDS_APPROVAL : undefined
  const input = (await inputToShow(batch, ready)) as never
  const context = contextFor(batch, ready)
  const limit = timeLimitOf(batch, ready.tool)
  const asks: unknown = await orWords('approval rule', limit, () => approval(input, context))
  if (!asks) return undefined
  return typeof asks === 'string' ? asks : NEEDS_APPROVAL
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
