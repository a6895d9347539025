/** One batch: prepare all calls in order, run what may run in parallel, answer in call order. */
import { ResumeError } from '../errors/errors.ts'
import type { Json } from '../messages/json.ts'
import type { ToolMessage, ToolResponse } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type { PendingCall } from '../messages/run-state.ts'
import { CallCounter } from './call-counter.ts'
import { answersGiven, prepareCall, type PreparedCall } from './prepare-call.ts'
import { runCall, supplyResult, type CallOutcome } from './run-call.ts'
import type { Batch, BatchRequest } from './batch.ts'
import type { ToolExecutionResult } from './tool-calling-manager.ts'

export async function executeBatch(request: BatchRequest): Promise<ToolExecutionResult> {
  const { run, settings } = request
  const batch: Batch = {
    toolsByName: new Map(request.tools.map((tool) => [tool.definition.name, tool])),
    counter: new CallCounter(settings.limits, run.state?.counters ?? run.counters),
    running: new Set(),
    values: Object.freeze({ ...request.prompt.options?.toolContext }),
    ...request,
  }
  return untilAborted(batch, () => settleBatch(batch))
}

async function settleBatch(batch: Batch): Promise<ToolExecutionResult> {
  const { run, settings } = batch
  const prepared: PreparedCall[] = []
  for (const call of toolCallsOf(batch.generation)) prepared.push(await prepareCall(batch, call))
  // Nothing has run so far: an aborted resume leaves its state usable.
  run.signal?.throwIfAborted()
  if (run.state && !(await settings.runStore.use(run.state.id))) {
    throw new ResumeError('state-used', 'This state was resumed before.')
  }
  return resultOf(batch, prepared, await runAll(batch, prepared))
}

/** Settles at once on abort, even if a tool does not listen; its late result goes nowhere. */
function untilAborted<T>(batch: Batch, work: () => Promise<T>): Promise<T> {
  const { signal } = batch.run
  if (!signal) return work()
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const onAbort = (): void => {
      for (const context of batch.running) context.abort(signal.reason)
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}

async function runAll(
  batch: Batch,
  prepared: readonly PreparedCall[],
): Promise<readonly CallOutcome[]> {
  const outcomes = new Array<CallOutcome>(prepared.length)
  const failures: unknown[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < prepared.length && !batch.run.signal?.aborted) {
      const index = next++
      try {
        outcomes[index] = await settleCall(batch, prepared[index]!)
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

async function settleCall(batch: Batch, prepared: PreparedCall): Promise<CallOutcome> {
  switch (prepared.kind) {
    case 'ready':
      return await runCall(batch, prepared)
    case 'supplied':
      return await supplyResult(batch, prepared)
    case 'refused': {
      const response = batch.counter.told(prepared.call, prepared.response)
      batch.run.emit?.({ type: 'tool-result', toolCall: prepared.call, response })
      return { response }
    }
    case 'answered':
      return { response: prepared.response }
    case 'pending':
      return { pending: prepared.pending }
  }
}

function resultOf(
  batch: Batch,
  prepared: readonly PreparedCall[],
  outcomes: readonly CallOutcome[],
): ToolExecutionResult {
  const responses: ToolResponse[] = []
  const pending: PendingCall[] = []
  const answers: (readonly [callId: string, given: readonly Json[]])[] = []
  outcomes.forEach((outcome, index) => {
    const call = prepared[index]!
    if (outcome.pending) {
      pending.push(outcome.pending)
      const given = call.kind === 'ready' ? call.answers : answersGiven(batch, call.call.id)
      if (given.length > 0) answers.push([call.call.id, given])
    } else if (outcome.response) {
      if (call.kind !== 'answered') batch.counter.remember(call.call)
      responses.push(outcome.response)
    }
  })
  const { limit } = batch.counter
  const toolMessage: ToolMessage = { role: 'tool', responses }
  const history = [...batch.prompt.messages, batch.generation.message]
  return {
    responses,
    conversationHistory: pending.length > 0 ? history : [...history, toolMessage],
    returnDirect: pending.length === 0 && responses.every((response) => isDirect(batch, response)),
    counters: batch.counter.counters,
    ...(pending.length > 0 && { pending }),
    ...(answers.length > 0 && { answers: Object.fromEntries(answers) }),
    ...(limit && { limit }),
  }
}

const isDirect = (batch: Batch, response: ToolResponse): boolean =>
  !response.isError && batch.toolsByName.get(response.name)?.metadata?.returnDirect === true
