/**
 * The first four steps of a call's walk: 1 find · 2 parse · 3 check · 4 permit. Nothing has an effect
 * here; whatever refuses a call becomes a response that the model can read.
 */
import { ResumeError, ToolInputError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { didYouMean } from '../internal/nearest-names.ts'
import { parseJson } from '../internal/parse-json.ts'
import type { Json } from '../messages/json.ts'
import type { ToolCall, ToolResponse } from '../messages/message.ts'
import type { Decision, PendingCall } from '../messages/run-state.ts'
import { compileInput } from '../schema/input-schema.ts'
import { describeIssue, type Issue } from '../schema/issue.ts'
import { DefaultToolContext } from '../tools/default-tool-context.ts'
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
}

export type PreparedCall =
  | ReadyCall
  | { readonly kind: 'refused'; readonly call: ToolCall; readonly response: ToolResponse }
  | { readonly kind: 'answered'; readonly call: ToolCall; readonly response: ToolResponse }
  | { readonly kind: 'pending'; readonly call: ToolCall; readonly pending: PendingCall }
  | {
      readonly kind: 'supplied'
      readonly call: ToolCall
      readonly tool: ToolCallback
      readonly value: unknown
    }

const DEEPEST_ARGUMENTS = 64

export async function prepareCall(batch: Batch, call: ToolCall): Promise<PreparedCall> {
  const answered = batch.run.answered?.find((response) => response.id === call.id)
  if (answered) return { kind: 'answered', call, response: answered }
  const pending = batch.run.state?.pending.find((waiting) => waiting.callId === call.id)
  if (pending) return prepareDecided(batch, call, pending)

  const blocked = blockedBatch(batch)
  if (blocked) return refuse(call, blocked)
  const overLimit = batch.counter.count(call)
  const tool = batch.toolsByName.get(call.name)
  if (!tool) return refuse(call, unknownTool(batch, call.name))
  if (overLimit) return refuse(call, overLimit)
  const { argumentBytes } = batch.settings.limits
  const parsed = parseJson(call.arguments, { maxBytes: argumentBytes, maxDepth: DEEPEST_ARGUMENTS })
  if (!parsed.ok) return refuse(call, correctArguments(call.name, parsed.problem))
  const unchecked = { call, tool, value: parsed.value, text: call.arguments }
  const checked = await checkInput(batch, unchecked)
  if (checked.kind === 'issues')
    return refuse(call, correctArguments(call.name, issuesText(checked.issues)))
  return permit(batch, checked)
}

/** Why none of this batch may run: the answer was cut or filtered, or tools were not to be called at all. */
function blockedBatch(batch: Batch): string | undefined {
  const { finishReason } = batch.generation
  if (finishReason === 'length') {
    return 'Not run: your answer was cut off at the token limit, so this call may be incomplete. Make it again, shorter.'
  }
  if (finishReason === 'content-filter')
    return 'Not run: your answer was stopped by a content filter.'
  if (batch.prompt.options?.toolChoice === 'none')
    return 'Not run: tools may not be called now. Answer in text.'
  return undefined
}

function unknownTool(batch: Batch, name: string): string {
  const names = [...batch.toolsByName.keys()]
  const shown = names.slice(0, 20).join(', ') + (names.length > 20 ? ', ...' : '')
  const list =
    names.length === 0 ? 'There are no tools now; answer in text.' : `Available tools: ${shown}.`
  return `There is no tool called "${name.slice(0, 100)}".${didYouMean(name, names)} ${list}`
}

const correctArguments = (toolName: string, problem: string): string =>
  `The arguments for "${toolName}" are invalid, so it was not run. Correct your arguments: ${problem}`

const issuesText = (issues: readonly Issue[]): string => issues.map(describeIssue).join('; ')

export function refuse(call: ToolCall, content: string): PreparedCall {
  return {
    kind: 'refused',
    call,
    response: { id: call.id, name: call.name, content, isError: true },
  }
}

interface UncheckedCall {
  readonly call: ToolCall
  readonly tool: ToolCallback
  readonly value: unknown
  /** The same as JSON text: what the tool does to its input does not change what it was asked. */
  readonly text: string
  readonly answers?: readonly Json[]
}
type CheckedCall = ReadyCall | { readonly kind: 'issues'; readonly issues: readonly Issue[] }

async function checkInput(
  batch: Batch,
  { call, tool, value, text, answers }: UncheckedCall,
): Promise<CheckedCall> {
  const body = bodyOf(tool)
  const input = body?.input ?? compileInput(tool.definition.inputSchema)
  const checking = body ? input.check(value) : input.coerce(value)
  const checked = checking instanceof Promise ? await checking : checking
  if (!checked.ok) return { kind: 'issues', issues: checked.issues }
  const picked = body?.pickContext ? await body.pickContext(batch.values) : batch.values
  const json = (): Json => {
    const parsed = parseJson(text, { maxBytes: Infinity, maxDepth: Infinity })
    const coerced = input.coerce(parsed.ok ? parsed.value : {})
    return (coerced.ok ? coerced.value : {}) as Json
  }
  const values = picked as ReadyCall['values']
  return { kind: 'ready', call, tool, input: checked.value, json, values, answers: answers ?? [] }
}

/** Step 4. The limits have been counted; now whoever has a say: the policy, then the tool. */
async function permit(batch: Batch, ready: ReadyCall): Promise<PreparedCall> {
  const { tool, call } = ready
  const metadata = tool.metadata ?? DEFAULT_METADATA
  const needsContext = batch.settings.policy || metadata.approval || metadata.preview
  const context = needsContext ? preparingContext(batch, ready) : undefined
  const verdict = await policyVerdict(batch, ready, context)
  if (typeof verdict === 'object') return refuse(call, `Not run: ${verdict.deny}`)
  const kind = metadata.suppliedResult ? 'result' : 'approval'
  const reason = await reasonToAsk(ready, verdict, context)
  if (kind === 'approval' && reason === undefined) return ready
  const preview = await previewOf(ready, context)
  return {
    kind: 'pending',
    call,
    pending: {
      callId: call.id,
      toolName: call.name,
      input: ready.json(),
      kind,
      ...(reason !== undefined && { reason }),
      ...(preview !== undefined && { preview }),
    },
  }
}

const preparingContext = (batch: Batch, ready: ReadyCall): ToolContext =>
  new DefaultToolContext({
    values: ready.values,
    callId: ready.call.id,
    toolName: ready.call.name,
    ...historyFor(batch, ready.tool),
  })

export const historyFor = (
  batch: Batch,
  tool: ToolCallback,
): { history?: Batch['prompt']['messages'] } =>
  tool.metadata?.needs?.includes('history') ? { history: batch.prompt.messages } : {}

async function policyVerdict(
  batch: Batch,
  { call, tool, input }: ReadyCall,
  context: ToolContext | undefined,
): Promise<'allow' | 'ask' | { readonly deny: string }> {
  const { policy } = batch.settings
  if (!policy) return 'allow'
  const labels = {
    ...(tool.metadata?.labels && { tool: tool.metadata.labels }),
    run: runLabel(batch.prompt.messages),
  }
  try {
    const verdict = await policy(
      { callId: call.id, toolName: call.name, input, definition: tool.definition, labels },
      context!,
    )
    if (verdict === 'allow' || verdict === 'ask') return verdict
    if (typeof verdict === 'object' && verdict !== null && typeof verdict.deny === 'string')
      return verdict
  } catch {
    return { deny: 'the policy could not decide.' }
  }
  return { deny: 'the policy does not allow it.' }
}

async function reasonToAsk(
  { tool, input }: ReadyCall,
  verdict: 'allow' | 'ask',
  context: ToolContext | undefined,
): Promise<string | undefined> {
  const { approval, hints = {} } = tool.metadata ?? DEFAULT_METADATA
  if (verdict === 'ask') return 'The policy asks for approval.'
  if (hints.destructive) return 'The tool is destructive.'
  if (approval === true) return 'The tool needs approval.'
  if (typeof approval !== 'function') return undefined
  try {
    return (await approval(input as never, context!))
      ? 'The tool needs approval for this input.'
      : undefined
  } catch (thrown) {
    return `The approval rule failed: ${redact(messageOfThrown(thrown))}`
  }
}

async function previewOf(
  { tool, input }: ReadyCall,
  context: ToolContext | undefined,
): Promise<Json | undefined> {
  try {
    return await tool.metadata?.preview?.(input as never, context!)
  } catch (thrown) {
    return `The preview failed: ${redact(messageOfThrown(thrown))}`
  }
}

/** A call that waited, and what was decided about it. Bad decisions throw: nothing has run, the state stays usable. */
async function prepareDecided(
  batch: Batch,
  call: ToolCall,
  pending: PendingCall,
): Promise<PreparedCall> {
  const decisions = batch.run.decisions ?? {}
  const decision: Decision | undefined = Object.hasOwn(decisions, call.id)
    ? decisions[call.id]
    : undefined
  if (decision === undefined) return { kind: 'pending', call, pending }
  const tool = batch.toolsByName.get(call.name)
  if (!tool)
    throw new ResumeError('state-tools-changed', `Tool "${call.name}" is no longer offered.`)
  if (typeof decision === 'object' && 'deny' in decision)
    return refuse(call, `Not run: denied. ${decision.deny}`.trim())
  if (typeof decision === 'object' && 'result' in decision)
    return { kind: 'supplied', call, tool, value: decision.result }
  if (typeof decision === 'object' && 'edit' in decision)
    return prepareEdited(batch, { call, tool, ...copied(decision.edit) })
  const earlier = answersGiven(batch, call.id)
  const answers =
    typeof decision === 'object' && 'answer' in decision ? [...earlier, decision.answer] : earlier
  const checked = await checkInput(batch, { call, tool, ...copied(pending.input), answers })
  if (checked.kind === 'ready') return checked
  throw new ToolInputError(call.name, checked.issues)
}

/** What was answered to this call's questions so far. The id is the model's: it may be called anything. */
export function answersGiven({ run }: Batch, callId: string): readonly Json[] {
  const answers = run.state?.answers ?? {}
  return Object.hasOwn(answers, callId) ? answers[callId]! : []
}

/** A copy, so that the tool cannot change the state or the decision it came from. */
function copied(input: unknown): Pick<UncheckedCall, 'value' | 'text'> {
  let text: string | undefined
  try {
    text = JSON.stringify(input)
  } catch (cause) {
    throw new ResumeError('decision-invalid-edit', 'The edited input has no JSON.', { cause })
  }
  if (text === undefined)
    throw new ResumeError('decision-invalid-edit', 'The edited input is nothing.')
  return { text, value: JSON.parse(text) as unknown }
}

async function prepareEdited(batch: Batch, unchecked: UncheckedCall): Promise<PreparedCall> {
  const { call } = unchecked
  const checked = await checkInput(batch, unchecked)
  if (checked.kind === 'issues') {
    throw new ResumeError(
      'decision-invalid-edit',
      `The edited input of ${call.id} does not fit: ${issuesText(checked.issues)}.`,
    )
  }
  const context = batch.settings.policy ? preparingContext(batch, checked) : undefined
  const verdict = await policyVerdict(batch, checked, context)
  if (typeof verdict === 'object') {
    throw new ResumeError(
      'decision-invalid-edit',
      `The policy refuses the edited input of ${call.id}: ${verdict.deny}`,
    )
  }
  return { ...checked, edited: true }
}
