/** One batch: prepare all calls in order, run what may run in parallel, answer in call order. */
import { untilAborted } from '../internal/on-abort.ts'
import type { Json } from '../messages/json.ts'
import type { ToolResponse } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type { PendingCall } from '../messages/run-state.ts'
import { watcherOf } from '../observation/watcher-of.ts'
import { CallCounter } from './call-counter.ts'
import { answersGiven, type CallOutcome, type PreparedCall } from './check-call.ts'
import { prepareCall } from './prepare-call.ts'
import { recordRefusal, runCall, supplyResult } from './run-call.ts'
import type { Batch, BatchRequest } from './batch.ts'
import type { ToolExecutionResult } from './tool-calling-manager.ts'

export async function executeBatch(request: BatchRequest): Promise<ToolExecutionResult> {
  const { run, settings } = request
  const loading = run.watcher ? undefined : watcherOf(settings, run.emit)
  const batch: Batch = {
    toolsByName: new Map(request.tools.map((tool) => [tool.definition.name, tool])),
    counter: new CallCounter(settings.limits, run.state?.counters ?? run.counters),
    running: new Set(),
    watcher: run.watcher ?? (loading && (await loading)),
    values: Object.freeze({ ...request.prompt.options?.toolContext }),
    ...request,
  }
  const { signal } = run
  const work = (): Promise<ToolExecutionResult> => settleBatch(batch)
  if (!signal) return work()
  // A tool that does not listen is left alone; its late result goes nowhere.
  return untilAborted(signal, work, () => {
    for (const context of batch.running) context.abort(signal.reason)
  })
}

async function settleBatch(batch: Batch): Promise<ToolExecutionResult> {
  const { run, settings } = batch
  const prepared: PreparedCall[] = []
  for (const call of toolCallsOf(batch.generation)) prepared.push(await prepareCall(batch, call))
  const suspension = run.state && (await import('./suspension.ts'))
  // Nothing has run so far: an aborted resume leaves its state usable.
  run.signal?.throwIfAborted()
  if (suspension) await suspension.useUp(settings, run.state!)
  return resultOf(batch, prepared, await runAll(batch, prepared))
}

async function runAll(
  batch: Batch,
  prepared: readonly PreparedCall[],
): Promise<readonly CallOutcome[]> {
  const outcomes: CallOutcome[] = []
  const failures: unknown[] = []
  // One iterator for all workers: each takes the next call when it is free.
  const queue = prepared.entries()
  const worker = async (): Promise<void> => {
    for (const [index, call] of queue) {
      if (batch.run.signal?.aborted) return
      try {
        outcomes[index] = await watchedCall(batch, call)
      } catch (failure) {
        failures.push(failure)
      }
    }
  }
  const width = Math.min(batch.settings.limits.parallel, prepared.length)
  await Promise.all(Array.from({ length: width }, worker))
  if (failures.length > 0) throw failures[0]
  return outcomes
}

/** Calls that were settled before are not news. */
function watchedCall(batch: Batch, prepared: PreparedCall): CallOutcome | Promise<CallOutcome> {
  const { watcher, toolsByName, run } = batch
  const { call, kind } = prepared
  if (!watcher || kind === 'settled') return settleCall(batch, prepared)
  const { definition } = toolsByName.get(call.name) ?? {}
  const refused = kind === 'refused'
  return watcher.tool({ call, definition, runId: run.runId, refused }, (watched) =>
    settleCall(batch, kind === 'ready' ? { ...prepared, watched } : prepared),
  )
}

function settleCall(batch: Batch, prepared: PreparedCall): CallOutcome | Promise<CallOutcome> {
  switch (prepared.kind) {
    case 'ready':
      return runCall(batch, prepared)
    case 'supplied':
      return supplyResult(batch, prepared)
    case 'refused':
      return recordRefusal(batch, prepared)
    case 'settled':
      return prepared.outcome
  }
}

function resultOf(
  batch: Batch,
  prepared: readonly PreparedCall[],
  outcomes: readonly CallOutcome[],
): ToolExecutionResult {
  const { counter, prompt, generation } = batch
  const pending: PendingCall[] = []
  const responses: ToolResponse[] = []
  const answers: (readonly [callId: string, given: readonly Json[]])[] = []
  outcomes.forEach((outcome, index) => {
    const each = prepared[index]!
    const { call } = each
    if (outcome.pending) {
      pending.push(outcome.pending)
      const given = each.kind === 'ready' ? each.answers : answersGiven(batch, call.id)
      if (given.length > 0) answers.push([call.id, given])
    } else if (outcome.response) {
      if (each.kind !== 'settled') counter.remember(call)
      responses.push(outcome.response)
    }
  })
  const isDirect = ({ isError, name }: ToolResponse): boolean =>
    !isError && batch.toolsByName.get(name)?.metadata?.returnDirect === true
  const { limit, counters } = counter
  const history = [...prompt.messages, generation.message]
  const isPending = pending.length > 0
  return {
    responses,
    conversationHistory: isPending ? history : [...history, { role: 'tool', responses }],
    returnDirect: !isPending && responses.every(isDirect),
    counters,
    ...(isPending && { pending, answers: Object.fromEntries(answers) }),
    ...(limit && { limit }),
  }
}
