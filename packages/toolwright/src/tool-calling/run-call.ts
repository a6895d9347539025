/**
 * The last three steps of a call's walk: 5 run · 6 convert · 7 record. A failure becomes a response;
 * only the exception processor can make it end the run.
 */
import { ToolExecutionError, ToolTimeoutError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { Label, ToolCall } from '../messages/message.ts'
import { sleep } from '../ports/clock.ts'
import { SuspendSignal, type DefaultToolContext } from '../tools/default-tool-context.ts'
import { settle } from '../tools/settle.ts'
import { toOutput } from '../tools/to-output.ts'
import { bodyOf } from '../tools/tool-body.ts'
import type { ToolCallback, ToolOutput } from '../tools/tool-callback.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import { cutOutput } from './cut-output.ts'
import type { Batch } from './batch.ts'
import {
  contextFor,
  waiting,
  type CallOutcome,
  type ReadyCall,
  type RefusedCall,
  type SuppliedCall,
} from './check-call.ts'
import { withNote } from './with-note.ts'

/** What a durable step records of a call. */
interface StepOutcome {
  readonly output: ToolOutput
  readonly isError?: true
}

export async function runCall(batch: Batch, ready: ReadyCall): Promise<CallOutcome> {
  const { call } = ready
  let value: unknown
  let error: unknown
  // Kept here, because a durable step may hand on another error than the one it caught.
  let asked: SuspendSignal | undefined
  const work = async (): Promise<StepOutcome> => {
    try {
      const result = await runGated(batch, ready)
      value = result.value
      return { output: result.output }
    } catch (thrown) {
      if (thrown instanceof SuspendSignal) asked = thrown
      if (asked || batch.run.signal?.aborted) throw thrown
      error = thrown
      return failure(batch, call, thrown)
    }
  }
  try {
    const { durability } = batch.settings
    const step = batch.run.step ?? ((key, run) => durability.step(key, run))
    const outcome = await step(`tool/${call.id}`, work)
    return record(batch, ready, { value, error, ...outcome })
  } catch (thrown) {
    if (!asked) throw thrown
    return waiting(ready, { kind: 'question', question: asked.question })
  }
}

/** A result that the application supplied: checked and converted like the tool's own. */
export async function supplyResult(batch: Batch, supplied: SuppliedCall): Promise<CallOutcome> {
  const { call, tool, value } = supplied
  const outcome = await toOutput(tool, value).then(
    (output) => ({ output, value }),
    async (error: unknown) => ({ error, ...(await failure(batch, call, error)) }),
  )
  return record(batch, supplied, outcome)
}

/** What the model is told of a call that did not run. */
export const recordRefusal = (batch: Batch, { call, why }: RefusedCall): CallOutcome =>
  record(batch, { call }, { output: why, isError: true })

interface ToolResult {
  readonly output: ToolOutput
  readonly value?: unknown
}

async function runGated(batch: Batch, ready: ReadyCall): Promise<ToolResult> {
  const { lock, cache, rateLimit } = ready.tool.metadata ?? DEFAULT_METADATA
  const work = (): Promise<ToolResult> => runWithRetry(batch, ready)
  if (!lock && !cache && !rateLimit) return work()
  const { throughGates } = await import('./call-gates.ts')
  return throughGates(batch, ready, work)
}

async function runWithRetry(batch: Batch, ready: ReadyCall): Promise<ToolResult> {
  const { retry, effect } = ready.tool.metadata ?? DEFAULT_METADATA
  const { attempts, delayMs = 200 } = (effect !== 'once' && retry) || { attempts: 1 }
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

async function runOnce(batch: Batch, ready: ReadyCall, attempt: number): Promise<ToolResult> {
  const { call, tool, input, answers, asked } = ready
  const { run } = batch
  // It may have waited for a lock or its turn.
  run.signal?.throwIfAborted()
  // A tool that was given up reports to nobody.
  const emit = (event: ChatEvent): void => void (batch.running.has(context) && run.emit?.(event))
  const context: DefaultToolContext = contextFor(batch, ready, {
    attempt,
    idempotencyKey: run.runId === undefined ? call.id : `${run.runId}/${call.id}`,
    answers,
    outer: { mode: run.mode, emit, asked, answers },
    onProgress: (progress) => emit({ type: 'tool-progress', toolCall: call, progress }),
    onNotice: (code, message) => notice(batch, call, { code, message }),
  })
  run.emit?.({ type: 'tool-execution-start', toolCall: call, input })
  batch.running.add(context)
  try {
    const result = await inTime(batch, ready, context)
    if (context.suspended) throw context.suspended
    return { output: await toOutput(tool, result), value: result }
  } catch (thrown) {
    throw context.suspended ?? readable(thrown)
  } finally {
    batch.running.delete(context)
  }
}

/** Some values throw at whoever asks what they are; such a one is replaced by what it threw. */
function readable(thrown: unknown): unknown {
  try {
    void (thrown instanceof Error)
    return thrown
  } catch (fromAsking) {
    return fromAsking
  }
}

function start({ tool, input }: ReadyCall, context: DefaultToolContext): unknown {
  const body = bodyOf(tool)
  return body
    ? settle(body.run(input, context), context)
    : Promise.resolve(tool.call(JSON.stringify(input), context))
}

/** Settles by the deadline whether or not the tool listens; what comes later is dropped and noticed. */
async function inTime(
  batch: Batch,
  ready: ReadyCall,
  context: DefaultToolContext,
): Promise<unknown> {
  const { call, tool } = ready
  const { limits, clock } = batch.settings
  const started = start(ready, context)
  const { timeoutMs = limits.toolTimeoutMs } = tool.metadata ?? DEFAULT_METADATA
  if (!(started instanceof Promise) || timeoutMs === 'unlimited' || timeoutMs === Infinity)
    return started
  return new Promise((resolve, reject) => {
    let late = false
    const cancel = clock.timer(timeoutMs, () => {
      late = true
      const error = new ToolTimeoutError(timeoutMs, { toolName: call.name, callId: call.id })
      context.abort(error)
      reject(error)
    })
    const settled = (): void => {
      cancel()
      if (!late) return
      const message = `Tool "${call.name}" settled too late; its result was dropped.`
      notice(batch, call, { code: 'late-result', message })
    }
    started.then(resolve, reject).finally(settled)
  })
}

function notice(
  { run }: Batch,
  { id }: ToolCall,
  what: { readonly code: string; readonly message: string },
): void {
  run.emit?.({ type: 'notice', ...what, data: { callId: id } })
}

async function failure(batch: Batch, call: ToolCall, thrown: unknown): Promise<StepOutcome> {
  const error = ToolExecutionError.wrap(
    thrown,
    { toolName: call.name, callId: call.id },
    redact(messageOfThrown(thrown)),
  )
  const text: unknown = await batch.settings.exceptionProcessor(error)
  const output = typeof text === 'string' && text ? text : `Tool "${call.name}" failed.`
  return { output, isError: true }
}

interface Recorded extends StepOutcome {
  readonly value?: unknown
  readonly error?: unknown
}

function record(
  batch: Batch,
  {
    call,
    tool,
    edited,
    json,
  }: Pick<ReadyCall, 'call'> & Partial<Pick<ReadyCall, 'tool' | 'edited' | 'json'>>,
  outcome: Recorded,
): CallOutcome {
  const { isError, value, error } = outcome
  // The model asked for something else than what was run: it should know.
  const output =
    edited && !tool?.metadata?.returnDirect
      ? withNote(
          outcome.output,
          `The arguments were changed before it ran: ${JSON.stringify(json?.())}`,
        )
      : outcome.output
  const label = tool && labelOf(tool)
  const response = batch.counter.told(call, {
    id: call.id,
    name: call.name,
    content: cutOutput(output, batch.settings.limits.resultBytes),
    ...(isError && { isError }),
    ...(label && { label }),
  })
  batch.run.emit?.({ type: 'tool-result', toolCall: call, response, value })
  return { response, error }
}

function labelOf({ metadata, definition }: ToolCallback): Label | undefined {
  const { emits, reads } = metadata?.labels ?? {}
  if (!emits && !reads) return undefined
  return {
    trust: emits ?? 'trusted',
    ...(reads && { private: true as const }),
    source: definition.name,
  }
}
