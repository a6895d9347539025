/**
 * Step 4 of a call's walk: permit. Asks the policy and the tool whether a call may run, and after a resume
 * reads what was decided. Loaded on demand: most tools need no permission.
 */
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { frozenCopy } from '../internal/frozen-copy.ts'
import type { Json } from '../messages/json.ts'
import type { ToolCall } from '../messages/message.ts'
import type { PendingCall } from '../messages/run-state.ts'
import { inTime, type TimeLimit } from '../ports/in-time.ts'
import { valueAt } from '../schema/json-object.ts'
import { remembered } from '../schema/remembered.ts'
import { declaredLabels } from '../tools/declared-labels.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { Batch, CallOutcome, PreparedCall, ReadyCall, RefusedCall } from './call.ts'
import { callHash } from './call-hash.ts'
import { timeLimitOf } from './call-time.ts'
import { checkResult } from './check-result.ts'
import { checkInput, contextFor, jsonOf, refuse, refuseUnknown, toolNamed } from './check-call.ts'
import { stepKey } from './durable-step.ts'
import { deniedEdit, invalidEdit, type WrongEdit } from './invalid-edit.ts'
import { plainJson } from './plain-json.ts'
import type { PolicyCall } from './policy.ts'
import { joinedLabel, runLabel } from '../messages/run-label.ts'

/** What came of asking. JSON, because a durable run records it. */
type Permission = 'run' | { readonly deny: string } | WhyItWaits

type WhyItWaits = Pick<PendingCall, 'kind' | 'reason' | 'preview' | 'question'> & {
  readonly kept?: Json | undefined
}

/** The limits were counted before; the policy decides next, then the tool. */
export async function permit(batch: Batch, ready: ReadyCall): Promise<PreparedCall> {
  const { call, tool } = ready
  const { approval, preview } = tool.metadata ?? DEFAULT_METADATA
  const isAsked = batch.manager.policy || preview || typeof approval === 'function'
  const permission = isAsked
    ? await asStep(batch, stepKey(batch, 'permit', call.id), () => askAll(batch, ready))
    : await askAll(batch, ready)
  if (permission === 'run') return ready
  if ('deny' in permission) return refuse(call, 'denied', permission.deny)
  return { kind: 'settled', call, outcome: waiting(ready, permission) }
}

/** What a durable run has asked once it does not ask again. */
function asStep<T>(batch: Batch, key: string, ask: () => Promise<T>): Promise<T> {
  if (!batch.durable) return ask()
  return batch.durable.step(key, async () => {
    const answer = await ask()
    // An abort reads like a refusal, but nobody has refused.
    batch.run.signal?.throwIfAborted()
    return answer
  })
}

async function askAll(batch: Batch, ready: ReadyCall): Promise<Permission> {
  const { tool } = ready
  const { preview, suppliedResult } = tool.metadata ?? DEFAULT_METADATA
  const context = contextFor(batch, ready)
  const limit = timeLimitOf(batch, tool)
  const verdict = await policyVerdict(batch, ready, context)
  if (isDenied(verdict)) return verdict
  const reason = await reasonToAsk(batch, ready, verdict)
  if (!reason && !suppliedResult) return 'run'
  const input = preview && (await inputToShow(batch, ready))
  const shown = preview && (await orWords('preview', limit, () => preview(input as never, context)))
  return {
    kind: suppliedResult ? 'result' : 'approval',
    ...(reason && { reason }),
    ...(shown !== undefined && { preview: plainJson(shown) }),
  }
}

/** A call that has to wait, and what whoever decides about it is shown. */
export const waiting = (
  ready: ReadyCall,
  { preview, question, kept, ...why }: WhyItWaits,
): CallOutcome & { readonly pending: readonly PendingCall[] } => ({
  pending: [
    {
      callId: ready.call.id,
      toolName: ready.call.name,
      input: jsonOf(ready),
      ...why,
      ...(preview !== undefined && { preview }),
      ...(question !== undefined && { question: plainJson(question) }),
      ...(kept !== undefined && { kept: plainJson(kept) }),
    },
  ],
})

type Denied = { readonly deny: string }
type Verdict = 'allow' | { readonly ask: string } | Denied

const isDenied = (verdict: Verdict): verdict is Denied =>
  typeof verdict === 'object' && 'deny' in verdict

async function policyVerdict(
  batch: Batch,
  ready: ReadyCall,
  context: ToolContext,
): Promise<Verdict> {
  const { policy } = batch.manager
  if (!policy) return 'allow'
  const { call, tool } = ready
  const { nesting, mark, prompt } = batch
  const asked: PolicyCall = {
    callId: call.id,
    ...(nesting && { parentCallId: nesting.parentCallId }),
    toolName: call.name,
    input: await inputToShow(batch, ready),
    definition: remembered(definitions, tool.definition, () => frozenCopy(tool.definition)),
    labels: {
      tool: frozenCopy(declaredLabels(tool)),
      run: joinedLabel(runLabel(prompt.messages), mark?.label),
    },
  }
  // Words about its failure are no verdict, so they deny; the model does not get to see them.
  const verdict = await orWords('policy', timeLimitOf(batch, tool), () => policy(asked, context))
  if (verdict === 'allow') return verdict
  if (verdict === 'ask') return { ask: 'The policy asks for approval.' }
  const { ask, deny } = Object(verdict) as { readonly ask?: unknown; readonly deny?: unknown }
  if (typeof ask === 'string' && deny === undefined) return { ask }
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
  verdict: Exclude<Verdict, Denied>,
): Promise<string | undefined> {
  const { approval, hints } = ready.tool.metadata ?? DEFAULT_METADATA
  if (verdict !== 'allow') return verdict.ask
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
  if (decision === undefined) return { kind: 'settled', call, outcome: { pending: [pending] } }
  const tool = toolNamed(batch, call.name)
  if (!tool) return refuseUnknown(batch, call)
  const given = Object(decision) as { readonly [kind: string]: unknown }
  if ('deny' in given) {
    const refused = denied(call, pending, given.deny as string)
    return { ...refused, tell: () => tellDenied(tool, pending) }
  }
  const edited = await earlierEdit(call, tool, pending)
  if ('result' in given) {
    const limit = timeLimitOf(batch, tool)
    await checkResult({ callId: call.id, tool, value: given.result, limit })
    return { kind: 'supplied', call, tool, value: given.result, edited }
  }
  const isEdited = 'edit' in given
  const text = jsonText(isEdited ? given.edit : pending.input)
  const ready = await checkInput(batch, { call, tool, text })
  if (ready.kind === 'refused') throw invalidEdit(pending, wrongIn(ready))
  if (isEdited) return permitEdit(batch, ready)
  if (pending.kind === 'approval') return ready
  // A call that is tried again has its earlier answers, and what its tool kept with the last question.
  const answers = 'answer' in given ? [...ready.answers, given.answer as Json] : ready.answers
  return { ...ready, answers, kept: pending.kept, edited }
}

/** The arguments of a call that was approved with others than the model's, and has waited once more since. */
async function earlierEdit(
  call: ToolCall,
  tool: ToolCallback,
  { kind, input }: PendingCall,
): Promise<Json | undefined> {
  if (kind !== 'question' && kind !== 'unknown-outcome') return undefined
  const sent = await callHash(call.name, jsonOf({ tool, text: call.arguments }))
  return sent === (await callHash(call.name, input)) ? undefined : input
}

/** The model must not read that a call did not run when nobody knows. */
function denied(call: ToolCall, { kind }: PendingCall, reason: string): RefusedCall {
  if (kind !== 'unknown-outcome') {
    const refused = refuse(call, 'denied', `denied. ${reason}`.trim())
    return kind === 'approval' ? { ...refused, isDenied: true } : refused
  }
  const why = `Nobody knows whether this call had its effect. It is not tried again. ${reason}`
  return { kind: 'refused', call, code: 'unknown-outcome', why: why.trim() }
}

/** The decision stands, whatever comes of telling. */
function tellDenied({ metadata }: ToolCallback, { kept }: PendingCall): void {
  if (kept === undefined) return
  try {
    metadata?.denied?.(kept)
  } catch {
    // Ignored, as the contract says.
  }
}

async function permitEdit(batch: Batch, ready: ReadyCall): Promise<PreparedCall> {
  const { durable, manager } = batch
  const ask = () => policyVerdict(batch, ready, contextFor(batch, ready))
  const verdict =
    durable && manager.policy ? await asStep(batch, await editKey(batch, ready), ask) : await ask()
  if (isDenied(verdict))
    throw deniedEdit({ callId: ready.call.id, toolName: ready.call.name }, verdict.deny)
  return { ...ready, edited: jsonOf(ready) }
}

/** Named after the input, too: a resume that was refused leaves the state to be resumed with another edit. */
const editKey = async (batch: Batch, ready: ReadyCall): Promise<string> =>
  `${stepKey(batch, 'permit', ready.call.id)}/${await callHash(ready.call.name, jsonOf(ready))}`

/** What has no JSON is no object either, and refused as such. */
function jsonText(input: unknown): string {
  try {
    return JSON.stringify(input) ?? 'null'
  } catch {
    return 'null'
  }
}

const wrongIn = ({ issues, problem, why }: RefusedCall): WrongEdit => issues ?? problem ?? why
