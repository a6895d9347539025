/** One batch: prepare all calls in order, run what may run in parallel, answer in call order. */
import { ConfigurationError } from '../errors/errors.ts'
import { appended } from '../internal/appended.ts'
import { untilAborted } from '../internal/on-abort.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { Message, ToolResponse } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type { PendingCall } from '../messages/run-state.ts'
import type { Waited } from '../observation/watcher.ts'
import { isWatched, watcherOf } from '../observation/watcher-of.ts'
import { loadComposite, loadDurableCalls, loadReopenedCalls, loadSuspension } from '../on-demand.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import { CallCounter } from './call-counter.ts'
import type { Batch, CallOutcome, CallWalk, LeftByTools, PreparedCall } from './call.ts'
import { answersGiven, isComposite, toolNamed } from './check-call.ts'
import { cutOutput } from './cut-output.ts'
import { durableStepOf } from './durable-step.ts'
import { prepareCall } from './find-call.ts'
import { liveMark, raiseFor } from './live-mark.ts'
import { settleCall } from './settle-call.ts'
import type { ToolExecutionResult } from './tool-calling-manager.ts'

interface BatchRequest extends Pick<Batch, 'manager' | 'prompt' | 'run'> {
  /** Its first generation that has calls is run. */
  readonly response: ChatResponse
}

/** Settles at once on abort. A tool that does not listen is left alone; its late result goes nowhere. */
export function executeBatch(request: BatchRequest): Promise<ToolExecutionResult> {
  const { signal } = request.run
  const running: Batch['running'] = new Set()
  // In two parts, because nothing of the first need be kept while tools run, which may take days.
  if (!signal) return prepareBatch(request, running).then(runBatch)
  return untilAborted(
    signal,
    () => prepareBatch(request, running).then(runBatch),
    () => {
      for (const context of running) context.abort(signal.reason)
    },
  )
}

interface PreparedBatch {
  readonly batch: Batch
  readonly prepared: readonly PreparedCall[]
}

async function prepareBatch(
  request: BatchRequest,
  running: Batch['running'],
): Promise<PreparedBatch> {
  const { run } = request
  const opened = await openBatch(request, running)
  const batch = run.state?.journals ? await (await loadReopenedCalls()).reopenCalls(opened) : opened
  const calls = toolCallsOf(batch.generation)
  const { mark } = batch
  const prepared = [await prepareCall(batch, calls[0]!)]
  for (const call of calls.slice(1)) {
    if (mark) raiseFor(mark, prepared.at(-1)!)
    prepared.push(await prepareCall(batch, call))
  }
  const suspension = run.state && (await loadSuspension())
  // Nothing has run so far: an aborted resume leaves its state usable.
  run.signal?.throwIfAborted()
  if (suspension) await suspension.useUp(batch.settings, run)
  return { batch, prepared }
}

function runBatch({ batch, prepared }: PreparedBatch): Promise<ToolExecutionResult> {
  const settling = prepared.some(isComposite)
    ? loadComposite().then(({ settleComposites }) => settleComposites(batch, prepared, WALK))
    : prepared.length === 1
      ? Promise.resolve(settleCall(batch, prepared[0]!)).then((outcome) => [outcome])
      : batch.durable
        ? batch.durable.settleInOrder(batch, prepared, settleCall)
        : settleTogether(batch, prepared)
  return settling.then((outcomes) => resultOf(batch, prepared, outcomes))
}

const WALK: CallWalk = { prepare: prepareCall, settle: settleCall }

async function openBatch(
  { manager, prompt, response, run }: BatchRequest,
  running: Batch['running'],
): Promise<Batch> {
  const generation = response.results.find((candidate) => toolCallsOf(candidate).length > 0)
  if (!generation) throw new ConfigurationError('no-tool-call', 'The response asks for no tool.')
  const settings = run.settings ?? manager
  const { toolContext = {} } = prompt.options ?? {}
  const step = durableStepOf(settings, run)
  return {
    manager,
    settings,
    prompt,
    generation,
    run,
    running,
    tools: await resolveTools(prompt.options ?? {}, manager.resolver, {
      clock: settings.clock,
      ms: settings.limits.toolTimeoutMs,
      signal: run.signal,
    }),
    counter: new CallCounter(settings.limits, run.state?.counters ?? run.counters),
    values: Object.isFrozen(toolContext) ? toolContext : Object.freeze({ ...toolContext }),
    watcher: run.watcher ?? (isWatched(settings) ? await watcherOf(settings, run.emit) : undefined),
    durable: step && (await loadDurableCalls()).durableCalls(step),
    ...(manager.policy && { mark: liveMark(run) }),
  }
}

async function settleTogether(
  batch: Batch,
  prepared: readonly PreparedCall[],
): Promise<readonly CallOutcome[]> {
  const outcomes: CallOutcome[] = []
  const failures: unknown[] = []
  const { limits, clock } = batch.settings
  const width = Math.min(limits.parallel, prepared.length)
  const from = width < prepared.length ? clock.monotonic() : 0
  // One iterator for all workers: each takes the next call when it is free.
  const queue = prepared.entries()
  const worker = async (): Promise<void> => {
    let before: PreparedCall | undefined
    for (const [index, call] of queue) {
      if (batch.run.signal?.aborted) return
      const waited = before && placeOf(before, clock.monotonic() - from)
      before = call
      try {
        outcomes[index] = await settleCall(batch, call, waited)
      } catch (failure) {
        failures.push(failure)
      }
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  if (failures.length > 0) throw failures[0]
  return outcomes
}

/** A call waited for the end of the one before it. Less than a millisecond is no waiting: that one was only answered. */
const placeOf = ({ call }: PreparedCall, ms: number): Waited | undefined =>
  ms < 1 ? undefined : { for: 'place', ms, behind: { callId: call.id, toolName: call.name } }

function resultOf(
  batch: Batch,
  prepared: readonly PreparedCall[],
  outcomes: readonly CallOutcome[],
): ToolExecutionResult {
  const { counter, prompt, generation } = batch
  const pending: PendingCall[] = []
  const responses: ToolResponse[] = []
  const answers: (readonly [callId: string, given: readonly Json[]])[] = []
  const left: LeftByTools['calls'][number][] = []
  let returnDirect = true
  let hasDirect = false
  outcomes.forEach((outcome, index) => {
    const each = prepared[index]!
    const { call } = each
    if (outcome.pending) {
      pending.push(...outcome.pending)
      const given = each.kind === 'ready' ? each.answers : answersGiven(batch, call.id)
      if (given.length > 0) answers.push([call.id, given])
      if (!outcome.left) return
      answers.push(...outcome.left.answers)
      left.push(...outcome.left.calls)
    } else if (outcome.response) {
      if (each.kind !== 'settled') counter.remember(call)
      responses.push(outcome.response)
      const { isError, name } = outcome.response
      const isDirect = !isError && toolNamed(batch, name)?.metadata?.returnDirect === true
      returnDirect &&= isDirect
      hasDirect ||= isDirect
    }
  })
  const { limit, counters } = counter
  const history = appended(prompt.messages, generation.message)
  if (pending.length > 0)
    return {
      responses,
      conversationHistory: history,
      returnDirect: false,
      counters,
      limit,
      pending,
      answers: Object.fromEntries(answers),
      ...(left.length > 0 && {
        journals: Object.fromEntries(left.map(({ callId, journal }) => [callId, journal])),
        nestedTools: Object.fromEntries(left.map(({ callId, used }) => [callId, used])),
      }),
    }
  const { resultBytes } = batch.settings.limits
  // Direct results are whole so far. The conversation keeps what a model may be given of them.
  const told = hasDirect
    ? responses.map((each) => ({ ...each, content: cutOutput(each.content, resultBytes) }))
    : responses
  const conversationHistory = appended<Message>(history, { role: 'tool', responses: told })
  return {
    responses: returnDirect ? responses : told,
    conversationHistory,
    returnDirect,
    counters,
    limit,
  }
}
