/** Looks at a resume without running it. Loaded when somebody asks. */
import type { ResumeError } from '../errors/errors.ts'
import { parseJson } from '../internal/parse-json.ts'
import type { Decision, PendingCall } from '../messages/run-state.ts'
import { inTime, type TimeLimit } from '../ports/in-time.ts'
import { valueAt } from '../schema/json-object.ts'
import type { RunSettings } from '../run/run-settings.ts'
import { DEEPEST_ARGUMENTS } from '../tool-calling/check-call.ts'
import { waitingTools } from '../tool-calling/reopened-calls.ts'
import { checkResult } from '../tool-calling/check-result.ts'
import { invalidEdit, type WrongEdit } from '../tool-calling/invalid-edit.ts'
import { openState, type Resuming } from '../tool-calling/suspension.ts'
import { checkedInput } from '../tools/checked-input.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'

/** Rejects as the run would before anything runs. Neither the model nor a tool is asked, and the state stays usable. */
export async function checkResume(
  settings: RunSettings,
  resuming: Resuming,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { tools } = resuming
  const { state, decisions } = await openState(settings, resuming)
  const nested =
    state.journals && (await waitingTools(settings, { state, tools, signal, decisions }))
  for (const pending of state.pending) {
    const { callId, parentCallId, toolName } = pending
    const among = parentCallId === undefined ? tools : nested?.get(parentCallId)
    const tool = among?.find(({ definition }) => definition.name === toolName)
    const decision = valueAt(decisions, [callId]) as Decision | undefined
    const given = Object(decision) as { readonly [kind: string]: unknown }
    const input = inputToRun(pending, decision)
    if (tool && input !== undefined) await checkFits(settings, { callId, tool, input, signal })
    if (tool && 'result' in given) {
      const limit = limitFor(settings, tool, signal)
      await checkResult({ callId, tool, value: given.result, limit })
    }
  }
}

/** What the tool would get; nothing if it would not run. */
function inputToRun(pending: PendingCall, decision: Decision | undefined): unknown {
  if (decision === undefined) return undefined
  const given = Object(decision) as { readonly [kind: string]: unknown }
  if ('deny' in given || 'result' in given) return undefined
  return 'edit' in given ? (given.edit ?? null) : pending.input
}

interface Checking {
  readonly callId: string
  readonly tool: ToolCallback
  readonly input: unknown
  readonly signal: AbortSignal | undefined
}

function limitFor(
  { clock, limits }: RunSettings,
  { metadata }: ToolCallback,
  signal: AbortSignal | undefined,
): TimeLimit {
  const { timeoutMs = limits.toolTimeoutMs } = metadata ?? {}
  const ms = timeoutMs === 'unlimited' ? limits.toolTimeoutMs : timeoutMs
  return { clock, ms, signal }
}

async function checkFits(
  settings: RunSettings,
  { callId, tool, input, signal }: Checking,
): Promise<void> {
  const wrong = (why: WrongEdit): ResumeError =>
    invalidEdit({ callId, toolName: tool.definition.name }, why)
  const text = JSON.stringify(input)
  const bounds = { maxBytes: settings.limits.argumentBytes, maxDepth: DEEPEST_ARGUMENTS }
  const parsed = parseJson(text, bounds)
  if (!parsed.ok) throw wrong(parsed.problem)
  const limit = limitFor(settings, tool, signal)
  const checking = Promise.resolve(checkedInput(tool, parsed.value, text))
  const checked = await inTime(limit, checking, () => {
    throw wrong(`it was not checked within ${limit.ms} ms.`)
  })
  if (!checked.ok) throw wrong(checked.issues)
}
