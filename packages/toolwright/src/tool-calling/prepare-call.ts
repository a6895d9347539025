/**
 * The first four steps of a call's walk: 1 find · 2 parse · 3 check · 4 permit. Nothing has an effect
 * here; whatever refuses a call becomes a response that the model can read.
 */
import { ResumeError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { didYouMean } from '../internal/nearest-names.ts'
import { parseJson } from '../internal/parse-json.ts'
import type { Json } from '../messages/json.ts'
import type { ToolCall } from '../messages/message.ts'
import type { PendingCall } from '../messages/run-state.ts'
import type { Watched, WatchedCallOutcome } from '../observation/watcher.ts'
import { compileInput } from '../schema/input-schema.ts'
import { describeIssue } from '../schema/issue.ts'
import { DefaultToolContext, type ToolContextParts } from '../tools/default-tool-context.ts'
import { valueAt } from '../schema/json-object.ts'
import { bodyOf } from '../tools/tool-body.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { Batch } from './batch.ts'
import { runLabel } from './run-label.ts'

export interface ReadyCall {
  readonly kind: 'ready'
  readonly call: ToolCall
  readonly tool: ToolCallback
  /** As the tool gets it. */
  readonly input: unknown
  /** As JSON, coerced but not transformed. */
  readonly json: () => Json
  readonly values: { readonly [key: string]: unknown }
  readonly answers: readonly Json[]
  /** Somebody changed the arguments. */
  readonly edited?: true
  readonly watched?: Watched
}

/** The application gave the result. */
export interface SuppliedCall {
  readonly kind: 'supplied'
  readonly call: ToolCall
  readonly tool: ToolCallback
  readonly value: unknown
}

export interface RefusedCall {
  readonly kind: 'refused'
  readonly call: ToolCall
  /** Why, for the model. */
  readonly why: string
}

/** What has become of a call. */
export type CallOutcome = WatchedCallOutcome

/** Answered before, or waiting. */
interface SettledCall {
  readonly kind: 'settled'
  readonly call: ToolCall
  readonly outcome: CallOutcome
}

export type PreparedCall = ReadyCall | SuppliedCall | RefusedCall | SettledCall

const DEEPEST_ARGUMENTS = 64

export async function prepareCall(batch: Batch, call: ToolCall): Promise<PreparedCall> {
  const { run, prompt, generation } = batch
  const response = run.answered?.find(({ id }) => id === call.id)
  if (response) return { kind: 'settled', call, outcome: { response } }
  const pending = run.state?.pending.find(({ callId }) => callId === call.id)
  if (pending) return prepareDecided(batch, call, pending)

  const blocked =
    BLOCKED[generation.finishReason] ?? (prompt.options?.toolChoice === 'none' && NO_TOOLS_NOW)
  if (blocked) return refuse(call, blocked)
  const overLimit = batch.counter.count(call)
  const tool = batch.toolsByName.get(call.name)
  if (!tool) return refuse(call, unknownTool(batch, call.name))
  if (overLimit) return refuse(call, overLimit)
  const checked = await checkInput(batch, { call, tool, text: call.arguments })
  return checked.kind === 'ready' ? permit(batch, checked) : checked
}

/** Finish reasons of answers whose calls may not be what the model meant. */
const BLOCKED: { readonly [reason: string]: string } = {
  length: 'your answer was cut off at the token limit. Call again, shorter.',
  'content-filter': 'your answer was filtered.',
}
const NO_TOOLS_NOW = 'tools are off. Answer in text.'

function unknownTool(batch: Batch, name: string): string {
  const names = [...batch.toolsByName.keys()]
  const shown = names.slice(0, 20).join(', ') + (names.length > 20 ? ', ...' : '')
  return `there is no tool called "${name.slice(0, 100)}".${didYouMean(name, names)} Available tools: ${shown || 'none'}.`
}

const badArguments = (call: ToolCall, problem: string): RefusedCall =>
  refuse(call, `the arguments are invalid. Correct your arguments: ${problem}`)

const refuse = (call: ToolCall, why: string): RefusedCall => ({
  kind: 'refused',
  call,
  why: `Not run: ${why}`,
})

interface UncheckedCall {
  readonly call: ToolCall
  readonly tool: ToolCallback
  /** What it is asked, as JSON text: what the tool does to its input does not change it. */
  readonly text: string
}

async function checkInput(
  batch: Batch,
  { call, tool, text }: UncheckedCall,
): Promise<ReadyCall | RefusedCall> {
  const { argumentBytes: maxBytes } = batch.settings.limits
  const parsed = parseJson(text, { maxBytes, maxDepth: DEEPEST_ARGUMENTS })
  if (!parsed.ok) return badArguments(call, parsed.problem)
  const body = bodyOf(tool)
  const input = body?.input ?? compileInput(tool.definition.inputSchema)
  const checking = body ? input.check(parsed.value, text) : input.coerce(parsed.value)
  const checked = checking instanceof Promise ? await checking : checking
  if (!checked.ok) return badArguments(call, checked.issues.map(describeIssue).join('; '))
  const values = body?.pickContext ? await body.pickContext(batch.values) : batch.values
  const json = (): Json => {
    const coerced = input.coerce(JSON.parse(text.trim() || '{}'))
    return (coerced.ok ? coerced.value : {}) as Json
  }
  return {
    kind: 'ready',
    call,
    tool,
    input: checked.value,
    json,
    values: values as ReadyCall['values'],
    answers: answersGiven(batch, call.id),
  }
}

/** What was answered to this call's questions so far. The id is the model's: it may be called anything. */
export const answersGiven = ({ run }: Batch, callId: string): readonly Json[] =>
  (valueAt(run.state?.answers, [callId]) ?? []) as readonly Json[]

/** Step 4. The limits have been counted; now whoever has a say: the policy, then the tool. */
async function permit(batch: Batch, ready: ReadyCall): Promise<PreparedCall> {
  const { call, tool, input } = ready
  const { approval, hints, preview, suppliedResult } = tool.metadata ?? DEFAULT_METADATA
  if (!batch.settings.policy && !approval && !hints?.destructive && !suppliedResult) return ready
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

export const waiting = (
  { call, json }: ReadyCall,
  why: Pick<PendingCall, 'kind' | 'reason' | 'preview' | 'question'>,
): CallOutcome => ({
  pending: { callId: call.id, toolName: call.name, input: json(), ...why },
})

/** What a tool, or whoever decides about it, sees of the run. */
export const contextFor = (
  batch: Batch,
  { call, tool, values }: ReadyCall,
  more?: Partial<ToolContextParts>,
): DefaultToolContext =>
  new DefaultToolContext({
    values,
    callId: call.id,
    toolName: call.name,
    history: tool.metadata?.needs?.includes('history') ? batch.prompt.messages : undefined,
    ...more,
  })

async function policyVerdict(
  { settings: { policy }, prompt }: Batch,
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

/** What somebody's function says, or words about its failure. */
async function orWords<T>(what: string, run: () => T | Promise<T>): Promise<T | string> {
  try {
    return await run()
  } catch (thrown) {
    return `The ${what} failed: ${redact(messageOfThrown(thrown))}`
  }
}

/** A call that waited, and what was decided about it. Bad decisions throw: nothing has run, the state stays usable. */
async function prepareDecided(
  batch: Batch,
  call: ToolCall,
  pending: PendingCall,
): Promise<PreparedCall> {
  const decision = valueAt(batch.run.decisions, [call.id])
  if (decision === undefined) return { kind: 'settled', call, outcome: { pending } }
  const tool = batch.toolsByName.get(call.name)
  if (!tool) return refuse(call, unknownTool(batch, call.name))
  const given = Object(decision) as { readonly [kind: string]: unknown }
  if ('deny' in given) return refuse(call, `denied. ${given.deny as string}`.trim())
  if ('result' in given) return { kind: 'supplied', call, tool, value: given.result }
  const isEdited = 'edit' in given
  const text = jsonText(isEdited ? given.edit : pending.input)
  const ready = await checkInput(batch, { call, tool, text })
  if (ready.kind === 'refused') throw invalidEdit(ready.why)
  if (!isEdited)
    return 'answer' in given
      ? { ...ready, answers: [...ready.answers, given.answer as Json] }
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
