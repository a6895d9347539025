/**
 * A run goes on in which tools that call tools wait. Everything that was decided about their calls is checked before
 * anything runs and before the state is used up: the tools are those that were sealed, an edited input fits and is
 * permitted. Loaded with the first such resume.
 */
import { ResumeError } from '../errors/errors.ts'
import { isWithin } from '../internal/is-within.ts'
import type { Json } from '../messages/json.ts'
import type { ToolCall } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type { CallJournal, Decisions, PendingCall, RunState } from '../messages/run-state.ts'
import { inTime, type TimeLimit } from '../ports/in-time.ts'
import type { RunSettings } from '../run/run-settings.ts'
import { valueAt } from '../schema/json-object.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { Batch, LeftByTools, PreparedCall, ReopenedCalls } from './call.ts'
import { callHash } from './call-hash.ts'
import { checkInput, jsonOf, refuseUnknown, toolNamed } from './check-call.ts'
import { compositeTools } from './composite-tools.ts'
import { liveMark } from './live-mark.ts'
import { nestedTold } from './nested-told.ts'
import { prepareDecided } from './permit-call.ts'
import { sealedDefinition } from './sealed-definition.ts'
import { checkNestedTools } from './suspension.ts'

type Tools = readonly ToolCallback[]

interface Around {
  readonly state: RunState
  /** Those that are offered. */
  readonly tools: Tools
  readonly signal: AbortSignal | undefined
  readonly decisions: Decisions | undefined
}

/** The tools that each waiting tool may call, by the id of its call. Rejects if one is another than it was. */
export async function waitingTools(
  settings: RunSettings,
  { state, tools, signal, decisions }: Around,
): Promise<ReadonlyMap<string, Tools>> {
  const journals = new Map(Object.entries(state.journals ?? {}))
  const found = new Map<string, Promise<Tools | undefined>>()
  const asking = { clock: settings.clock, ms: settings.limits.toolTimeoutMs, signal }
  const toolsOf = (
    callId: string,
    { toolName, parentCallId }: CallJournal,
  ): Promise<Tools | undefined> => {
    const known = found.get(callId)
    if (known) return known
    const finding = (async () => {
      const parent = parentCallId === undefined ? undefined : journals.get(parentCallId)
      const among = parent ? await toolsOf(parentCallId!, parent) : tools
      const tool = among?.find(({ definition }) => definition.name === toolName)
      return tool && compositeTools(tool, asking)
    })()
    found.set(callId, finding)
    return finding
  }
  const all = new Map<string, Tools>()
  for (const [callId, journal] of journals) {
    const own = await toolsOf(callId, journal)
    // Whoever adds the tool to the round may not have done so yet; its own absence is found with the round's tools.
    if (own) all.set(callId, own)
  }
  await checkNestedTools(settings, state, all)
  for (const [callId, { toolName, parentCallId, journal }] of journals) {
    const isDecided = Object.keys(decisions ?? {}).some((id) => isWithin(id, callId))
    const among = parentCallId === undefined ? tools : all.get(parentCallId)
    const tool = among?.find(({ definition }) => definition.name === toolName)
    if (tool && journal !== undefined && isDecided) await reopen({ state, tool, callId }, asking)
  }
  return all
}

interface Waiting {
  readonly state: RunState
  readonly tool: ToolCallback
  readonly callId: string
}

/** Asks the tool whether it can go on. */
async function reopen({ state, tool, callId }: Waiting, limit: TimeLimit): Promise<void> {
  const check = tool.metadata?.composite?.reopen
  const input = check && inputOf({ state, tool, callId })
  if (input === undefined) return
  const { journal } = state.journals![callId]!
  await inTime<unknown>(limit, Promise.resolve(check!(input, journal!)), () => {
    throw new ResumeError(
      'program-diverged',
      `Tool "${tool.definition.name}" did not say within ${limit.ms} ms whether it can go on.`,
    )
  })
}

/** What a waiting tool was called with: by a tool, or by the model in the last round. */
function inputOf({ state, tool, callId }: Waiting): Json | undefined {
  const { input, edited } = state.journals![callId]!
  if (edited !== undefined || input !== undefined) return edited ?? input
  const calls = state.rounds.at(-1)?.results.flatMap(toolCallsOf)
  const call = calls?.find(({ id }) => id === callId)
  return call && jsonOf({ tool, text: call.arguments })
}

/** The same batch, with what waits in it. Bad decisions reject. */
export async function reopenCalls(batch: Batch): Promise<Batch> {
  const { settings, run, tools } = batch
  const state = run.state!
  const { signal, decisions } = run
  const nested = await waitingTools(settings, { state, tools, signal, decisions })
  const decided = new Map<string, PreparedCall>()
  // Policies are asked about edits, and see what results had brought when the run was suspended.
  const mark = batch.mark ?? liveMark(run)
  for (const { label } of Object.values(state.journals ?? {})) if (label) mark.raise(label)
  for (const pending of state.pending) {
    const { callId, parentCallId } = pending
    const own = parentCallId === undefined ? undefined : nested.get(parentCallId)
    if (!own || valueAt(run.decisions, [callId]) === undefined) continue
    const nesting = { parentCallId: parentCallId!, told: nestedTold }
    const inside: Batch = { ...batch, tools: own, mark, nesting }
    decided.set(callId, await prepareNested(inside, pending))
  }
  return { ...batch, mark, reopened: new WaitingCalls(state, nested, decided) }
}

async function prepareNested(batch: Batch, pending: PendingCall): Promise<PreparedCall> {
  const { callId: id, toolName: name, input, kind, made } = pending
  const call: ToolCall = { type: 'tool-call', id, name, arguments: JSON.stringify(input) }
  const prepared = await prepareDecided(batch, call, pending)
  if (kind === 'approval' || prepared.kind === 'refused' || prepared.kind === 'settled')
    return prepared
  // It waits once more, and may have been approved with other arguments than its tool gave.
  return (await callHash(name, input)) === made ? prepared : { ...prepared, edited: input }
}

class WaitingCalls implements ReopenedCalls {
  readonly #state: RunState
  readonly #tools: ReadonlyMap<string, Tools>
  readonly #decided: ReadonlyMap<string, PreparedCall>

  constructor(
    state: RunState,
    tools: ReadonlyMap<string, Tools>,
    decided: ReadonlyMap<string, PreparedCall>,
  ) {
    this.#state = state
    this.#tools = tools
    this.#decided = decided
  }

  toolsOf(callId: string): Tools | undefined {
    return this.#tools.get(callId)
  }

  usedBy(callId: string): readonly ToolDefinition[] {
    const sealed = (valueAt(this.#state.nestedTools, [callId]) ?? {}) as object
    const definitions = (this.#tools.get(callId) ?? []).map(sealedDefinition)
    return definitions.filter(({ name }) => Object.hasOwn(sealed, name))
  }

  prepare(batch: Batch, call: ToolCall): Promise<PreparedCall> | undefined {
    const decided = this.#decided.get(call.id)
    if (decided) return Promise.resolve({ ...decided, call })
    const journal = valueAt(this.#state.journals, [call.id]) as CallJournal | undefined
    return journal && this.#again(batch, call, journal)
  }

  /** A call whose tool made calls that wait. It was counted and permitted before. */
  #again(batch: Batch, call: ToolCall, { edited }: CallJournal): Promise<PreparedCall> | undefined {
    const { decisions } = batch.run
    const isDecided = ({ callId }: PendingCall): boolean =>
      valueAt(decisions, [callId]) !== undefined
    const own = this.#state.pending.find(({ callId }) => callId === call.id)
    // What was decided about its own question.
    if (own && isDecided(own)) return undefined
    const waiting = this.#state.pending.filter(({ callId }) => isWithin(callId, call.id))
    if (!waiting.some(isDecided)) {
      const outcome = { pending: waiting, left: this.#leftOf(call.id) }
      return Promise.resolve({ kind: 'settled', call, outcome })
    }
    const tool = toolNamed(batch, call.name)
    if (!tool) return Promise.resolve(refuseUnknown(batch, call))
    const text = edited === undefined ? call.arguments : JSON.stringify(edited)
    return checkInput(batch, { call, tool, text }).then((ready) =>
      ready.kind === 'ready' ? { ...ready, kept: own?.kept, edited } : ready,
    )
  }

  /** As it was: nobody has decided about it. */
  #leftOf(id: string): LeftByTools {
    const { journals = {}, answers } = this.#state
    const calls = Object.entries(journals)
      .filter(([callId]) => isWithin(callId, id))
      .map(([callId, journal]) => ({ callId, journal, used: this.usedBy(callId) }))
    const given = Object.entries(answers).filter(
      ([callId]) => callId !== id && isWithin(callId, id),
    )
    return { calls, answers: given }
  }
}
