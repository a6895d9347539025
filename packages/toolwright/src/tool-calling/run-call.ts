/**
 * Step 5 of a call's walk: run, with its lock and rate, its retries and its time limit. A failure becomes a
 * response; only the exception processor can make it end the run.
 */
import { ToolTimeoutError } from '../errors/errors.ts'
import { notice, type NoticeCode } from '../errors/notices.ts'
import { holdAround } from '../internal/held-locks.ts'
import { NONE } from '../internal/nothing.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { Json } from '../messages/json.ts'
import type { Label } from '../messages/message.ts'
import { joinedLabel, labelMet } from '../messages/run-label.ts'
import { loadCallGates, loadComposite, loadConvertResult, loadPermitCall } from '../on-demand.ts'
import { inTime } from '../ports/in-time.ts'
import {
  SuspendSignal,
  type DefaultToolContext,
  type OuterRun,
} from '../tools/default-tool-context.ts'
import { settle } from '../tools/settle.ts'
import { toOutput } from '../tools/to-output.ts'
import { bodyOf } from '../tools/tool-body.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { Attempt, Batch, CallOutcome, ReadyCall, ToolResult } from './call.ts'
import { inCallTime } from './call-time.ts'
import { contextFor } from './check-call.ts'
import { endedCall } from './ended-call.ts'
import { liveMark } from './live-mark.ts'
import { recordResult, saidLabel } from './record-result.ts'

export function runCall(batch: Batch, ready: ReadyCall): Promise<CallOutcome> {
  const { lock, cache, rateLimit, retry, composite } = ready.tool.metadata ?? DEFAULT_METADATA
  const run = (): Promise<ToolResult> =>
    lock || cache || rateLimit || retry
      ? loadCallGates().then(({ throughGates }) => throughGates(batch, ready, runOnce))
      : runOnce(batch, ready)
  if (composite) {
    const running = loadComposite().then(({ runComposite }) => runComposite(batch, ready, run))
    return endedCall(ready.watched, running)
  }
  if (batch.durable) return endedCall(ready.watched, batch.durable.runAsStep(batch, ready, run))
  return run().then(
    (result) => {
      const outcome = recordResult(batch, ready, result)
      if (ready.watched) ready.watched.called(outcome)
      return outcome
    },
    (thrown: unknown) => endedCall(ready.watched, failedCall(batch, ready, thrown)),
  )
}

async function failedCall(batch: Batch, ready: ReadyCall, thrown: unknown): Promise<CallOutcome> {
  if (thrown instanceof SuspendSignal) {
    const { question, kept } = thrown
    return (await loadPermitCall()).waiting(ready, { kind: 'question', question, kept })
  }
  if (batch.run.signal?.aborted) throw thrown
  const { convertFailure } = await loadConvertResult()
  const failure = await convertFailure(batch, ready, thrown)
  return recordResult(batch, ready, { error: thrown, ...failure })
}

const FIRST_ATTEMPT: Attempt = { number: 1 }

async function runOnce(
  batch: Batch,
  ready: ReadyCall,
  attempt: Attempt = FIRST_ATTEMPT,
): Promise<ToolResult> {
  const { call, tool, input } = ready
  const { run, running } = batch
  // The call may have waited for a lock or its turn.
  run.signal?.throwIfAborted()
  const { inside } = ready
  inside?.begin(batch)
  // A tool that calls tools takes none: its calls do.
  const leave = batch.shared && !inside ? await batch.shared.places.take(batch, ready) : undefined
  const outer = new RunningCall(batch, ready)
  const idempotencyKey = run.runId === undefined ? call.id : `${run.runId}/${call.id}`
  const context = contextFor(batch, ready, { attempt: attempt.number, idempotencyKey, outer })
  run.emit?.({ type: 'tool-execution-start', toolCall: call, input })
  running.add(context)
  if (batch.held) holdAround(context.signal, batch.held)
  try {
    const body = bodyOf(tool)
    const started = body
      ? settle(body.run(input, context), context)
      : Promise.resolve(tool.call(JSON.stringify(input), context))
    const value =
      started instanceof Promise
        ? await untilTimeout(batch, ready, { context, started, attempt })
        : started
    if (context.suspended) throw context.suspended
    const result = await toOutput(tool, value, (work, what) =>
      inCallTime({ batch, call, tool }, work, what),
    )
    // With the result, because equal calls may get a copy of it.
    return ready.marked ? { ...result, label: saidLabel(tool, ready.marked)! } : result
  } catch (thrown) {
    throw context.suspended ?? readable(thrown)
  } finally {
    outer.isOver = true
    running.delete(context)
    leave?.()
  }
}

/** What a running tool reaches of its run. A class, because there is one for each call that waits. */
class RunningCall implements OuterRun {
  /** Set when the call has ended: events of a tool that was given up are dropped. */
  isOver = false
  readonly mode: OuterRun['mode']
  readonly answers: OuterRun['answers']
  readonly kept: OuterRun['kept']
  readonly #batch: Batch
  readonly #ready: ReadyCall

  constructor(batch: Batch, ready: ReadyCall) {
    this.#batch = batch
    this.#ready = ready
    this.mode = batch.run.mode
    this.answers = ready.answers
    this.kept = ready.kept
  }

  emit(event: ChatEvent): void {
    if (!this.isOver) this.#batch.run.emit?.(event)
  }

  progress(progress: unknown): void {
    const { call, tool, inside, marked } = this.#ready
    const label = inside ? inside.label : saidLabel(tool, marked)
    const event = { type: 'tool-progress', toolCall: call, progress } as const
    this.emit(label ? { ...event, label } : event)
  }

  notice(code: NoticeCode, message: string, data?: Json): void {
    const about = { ...(Object(data) as object), callId: this.#ready.call.id }
    this.#batch.run.emit?.(notice(code, message, about))
  }

  get label(): Label | undefined {
    const { prompt, run, mark = liveMark(run) } = this.#batch
    return labelMet(prompt.messages, mark.label)
  }

  mark(label: Label): void {
    const ready = this.#ready
    if (ready.inside) ready.inside.mark(label)
    else if (labelMet(NONE, label)) ready.marked = joinedLabel(label, ready.marked)
  }

  get facts(): OuterRun['facts'] {
    const { watched } = this.#ready
    return watched && ((facts) => watched.facts(facts))
  }

  get inside(): OuterRun['inside'] {
    return this.#ready.inside
  }
}

/** Reading some values throws; such a value is replaced by what reading it threw. */
function readable(thrown: unknown): unknown {
  try {
    void (thrown instanceof Error)
    return thrown
  } catch (fromAsking) {
    return fromAsking
  }
}

interface StartedTool {
  readonly context: DefaultToolContext
  readonly started: Promise<unknown>
  readonly attempt: Attempt
}

/** Settles by the deadline, whether or not the tool listens; a later result is dropped and noticed. */
function untilTimeout(
  { settings, run }: Batch,
  { call, tool }: ReadyCall,
  { context, started, attempt }: StartedTool,
): Promise<unknown> {
  const { limits, clock } = settings
  const { timeoutMs = limits.toolTimeoutMs, composite } = tool.metadata ?? DEFAULT_METADATA
  attempt.onStarted?.(started)
  if (timeoutMs === 'unlimited' || composite) return started
  return inTime({ clock, ms: attempt.timeoutMs ?? timeoutMs, signal: run.signal }, started, () => {
    const error = new ToolTimeoutError(timeoutMs, { toolName: call.name, callId: call.id })
    const message = `Tool "${call.name}" settled too late; its result was dropped.`
    const tell = (): void => run.emit?.(notice('late-result', message, { callId: call.id }))
    started.then(tell, tell)
    context.abort(error)
    throw error
  })
}
