/**
 * Step 5 of a call's walk: run, with its lock and rate, its retries and its time limit. A failure becomes a
 * response; only the exception processor can make it end the run.
 */
import { ToolTimeoutError } from '../errors/errors.ts'
import { notice, type NoticeCode } from '../errors/notices.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import { loadCallGates } from '../on-demand.ts'
import { sleep } from '../ports/clock.ts'
import { SuspendSignal, type DefaultToolContext } from '../tools/default-tool-context.ts'
import { settle } from '../tools/settle.ts'
import { toOutput } from '../tools/to-output.ts'
import { bodyOf } from '../tools/tool-body.ts'
import type { ToolOutput } from '../tools/tool-callback.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { Batch, CallOutcome, ReadyCall, StepOutcome } from './call.ts'
import { contextFor, waiting } from './check-call.ts'
import { convertFailure } from './convert-result.ts'
import { recordResult } from './record-result.ts'

interface ToolResult {
  readonly output: ToolOutput
  readonly value: unknown
}

export async function runCall(batch: Batch, ready: ReadyCall): Promise<CallOutcome> {
  const { run, settings } = batch
  const { lock, cache, rateLimit, retry, effect } = ready.tool.metadata ?? DEFAULT_METADATA
  let value: unknown
  let error: unknown
  // Kept here, because a durable step may hand on another error than the one it caught.
  let suspended: SuspendSignal | undefined
  const work = async (): Promise<StepOutcome> => {
    try {
      const attempt = retry && effect !== 'once' ? runWithRetry : runOnce
      const result =
        lock || cache || rateLimit
          ? await (await loadCallGates()).throughGates(batch, ready, attempt)
          : await attempt(batch, ready)
      value = result.value
      return { output: result.output }
    } catch (thrown) {
      if (thrown instanceof SuspendSignal) suspended = thrown
      if (suspended || run.signal?.aborted) throw thrown
      error = thrown
      return convertFailure(batch, ready.call, thrown)
    }
  }
  const key = `tool/${ready.call.id}`
  try {
    const outcome = await (run.step ? run.step(key, work) : settings.durability.step(key, work))
    return recordResult(batch, ready, { value, error, ...outcome })
  } catch (thrown) {
    if (!suspended) throw thrown
    return waiting(ready, { kind: 'question', question: suspended.question })
  }
}

async function runWithRetry(batch: Batch, ready: ReadyCall): Promise<ToolResult> {
  const { attempts, delayMs = 200 } = ready.tool.metadata.retry!
  const { signal } = batch.run
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(batch, ready, attempt)
    } catch (thrown) {
      if (attempt >= attempts || thrown instanceof SuspendSignal || signal?.aborted) throw thrown
      ready.watched?.retried(attempt, thrown)
      await sleep(batch.settings.clock, delayMs * 2 ** (attempt - 1), signal)
    }
  }
}

async function runOnce(batch: Batch, ready: ReadyCall, attempt = 1): Promise<ToolResult> {
  const { call, tool, input, answers, asked } = ready
  const { run, running } = batch
  // The call may have waited for a lock or its turn.
  run.signal?.throwIfAborted()
  // A tool that was given up reports to nobody.
  const emit = (event: ChatEvent): void => void (running.has(context) && run.emit?.(event))
  const context: DefaultToolContext = contextFor(batch, ready, {
    attempt,
    idempotencyKey: run.runId === undefined ? call.id : `${run.runId}/${call.id}`,
    answers,
    outer: { mode: run.mode, emit, asked, answers, callInside: batch.callInside },
    onProgress: (progress) => emit({ type: 'tool-progress', toolCall: call, progress }),
    onNotice: (code, message) => emitNotice(batch, code, { message, callId: call.id }),
  })
  run.emit?.({ type: 'tool-execution-start', toolCall: call, input })
  running.add(context)
  try {
    const body = bodyOf(tool)
    const started = body
      ? settle(body.run(input, context), context)
      : Promise.resolve(tool.call(JSON.stringify(input), context))
    const value =
      started instanceof Promise ? await inTime(batch, ready, { context, started }) : started
    if (context.suspended) throw context.suspended
    return { output: await toOutput(tool, value), value }
  } catch (thrown) {
    throw context.suspended ?? readable(thrown)
  } finally {
    running.delete(context)
  }
}

/** Some values throw at whoever asks what they are; such a value is replaced by what it threw. */
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
}

/** Settles by the deadline, whether or not the tool listens; a later result is dropped and noticed. */
function inTime(
  batch: Batch,
  { call, tool }: ReadyCall,
  { context, started }: StartedTool,
): Promise<unknown> {
  const { limits, clock } = batch.settings
  const { timeoutMs = limits.toolTimeoutMs } = tool.metadata ?? DEFAULT_METADATA
  if (timeoutMs === 'unlimited' || timeoutMs === Infinity) return started
  return new Promise((resolve, reject) => {
    let isLate = false
    const cancel = clock.timer(timeoutMs, () => {
      isLate = true
      const error = new ToolTimeoutError(timeoutMs, { toolName: call.name, callId: call.id })
      context.abort(error)
      reject(error)
    })
    const settled = (): void => {
      cancel()
      if (!isLate) return
      const message = `Tool "${call.name}" settled too late; its result was dropped.`
      emitNotice(batch, 'late-result', { message, callId: call.id })
    }
    started.then(resolve, reject).finally(settled)
  })
}

interface CallNotice {
  readonly message: string
  readonly callId: string
}

function emitNotice({ run }: Batch, code: NoticeCode, { message, callId }: CallNotice): void {
  run.emit?.(notice(code, message, { callId }))
}
