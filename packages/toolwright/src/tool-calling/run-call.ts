/**
 * The last three steps of a call's walk: 5 run · 6 convert · 7 record. A failure becomes a response;
 * only the exception processor can make it end the run.
 */
import { ToolExecutionError, ToolTimeoutError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import type { Json } from '../messages/json.ts'
import type { Label, ToolCall, ToolResponse } from '../messages/message.ts'
import type { PendingCall } from '../messages/run-state.ts'
import { sleep } from '../ports/clock.ts'
import { DefaultToolContext, SuspendSignal } from '../tools/default-tool-context.ts'
import { asOutput } from '../tools/result-converter.ts'
import { settle } from '../tools/settle.ts'
import { checkedOutput } from '../tools/tool.ts'
import { bodyOf, type ToolBody } from '../tools/tool-body.ts'
import type { ToolCallback, ToolOutput } from '../tools/tool-callback.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import { cutOutput } from './cut-output.ts'
import type { Batch } from './batch.ts'
import { historyFor, type PreparedCall, type ReadyCall } from './prepare-call.ts'

export interface CallOutcome {
  readonly response?: ToolResponse
  readonly pending?: PendingCall
}

/** What a durable step records of a call. */
interface StepOutcome {
  readonly output: ToolOutput
  readonly isError?: true
}

export async function runCall(batch: Batch, ready: ReadyCall): Promise<CallOutcome> {
  const { call, tool } = ready
  let value: unknown
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
      return { output: await failureText(batch, call, thrown), isError: true }
    }
  }
  try {
    const { durability } = batch.settings
    const step = batch.run.step ?? ((key, run) => durability.step(key, run))
    const outcome = await step(`tool/${call.id}`, work)
    return record(batch, ready, { value, ...outcome })
  } catch (thrown) {
    if (!asked) throw thrown
    const { question } = asked
    const { name: toolName } = tool.definition
    return {
      pending: { callId: call.id, toolName, input: ready.json(), kind: 'question', question },
    }
  }
}

/** A result that the application supplied: checked and converted like the tool's own. */
export async function supplyResult(
  batch: Batch,
  supplied: Extract<PreparedCall, { kind: 'supplied' }>,
): Promise<CallOutcome> {
  const { call, tool, value } = supplied
  try {
    return record(batch, supplied, { output: await convert(tool, value), value })
  } catch (thrown) {
    return record(batch, supplied, {
      output: await failureText(batch, call, thrown),
      isError: true,
    })
  }
}

interface ToolResult {
  readonly output: ToolOutput
  readonly value?: unknown
}

async function runGated(batch: Batch, ready: ReadyCall): Promise<ToolResult> {
  const { gates, run } = batch
  const { tool, input, values } = ready
  const metadata = tool.metadata ?? DEFAULT_METADATA
  if (!metadata.lock && !metadata.cache && !metadata.rateLimit) return runWithRetry(batch, ready)
  const asked = metadata.cache && gates.keyOf(ready.json(), values)
  const cached = asked === undefined ? undefined : gates.cached(tool, asked)
  if (cached) return cached
  const work = async (): Promise<ToolResult> => {
    await gates.paced(tool, run.signal)
    const result = await runWithRetry(batch, ready)
    if (asked !== undefined) gates.remember(tool, asked, result)
    return result
  }
  const key = metadata.hints?.readOnly ? undefined : metadata.lock?.(input as never)
  return key === undefined ? work() : gates.locked(key, work)
}

async function runWithRetry(batch: Batch, ready: ReadyCall): Promise<ToolResult> {
  const { retry, effect } = ready.tool.metadata ?? DEFAULT_METADATA
  const attempts = effect === 'once' ? 1 : (retry?.attempts ?? 1)
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(batch, ready, attempt)
    } catch (thrown) {
      if (attempt >= attempts || thrown instanceof SuspendSignal || batch.run.signal?.aborted)
        throw thrown
      await sleep(
        batch.settings.clock,
        (retry?.delayMs ?? 200) * 2 ** (attempt - 1),
        batch.run.signal,
      )
    }
  }
}

async function runOnce(batch: Batch, ready: ReadyCall, attempt: number): Promise<ToolResult> {
  const { call, tool, input } = ready
  const { run } = batch
  // It may have waited for a lock or its turn.
  run.signal?.throwIfAborted()
  const context: DefaultToolContext = new DefaultToolContext({
    values: ready.values,
    callId: call.id,
    toolName: tool.definition.name,
    attempt,
    idempotencyKey: run.runId === undefined ? call.id : `${run.runId}/${call.id}`,
    answers: ready.answers,
    onProgress(progress) {
      // A tool that was given up reports to nobody.
      if (batch.running.has(context))
        run.emit?.({ type: 'tool-progress', toolCall: call, progress })
    },
    ...historyFor(batch, tool),
  })
  run.emit?.({ type: 'tool-execution-start', toolCall: call, input })
  batch.running.add(context)
  try {
    const body = bodyOf(tool)
    const result = await inTime(batch, ready, { context, start: () => start(ready, body, context) })
    if (context.suspended) throw context.suspended
    return { output: await convert(tool, result), value: result }
  } catch (thrown) {
    throw context.suspended ?? readable(thrown, call)
  } finally {
    batch.running.delete(context)
  }
}

function start(ready: ReadyCall, body: ToolBody | undefined, context: DefaultToolContext): unknown {
  if (!body) return Promise.resolve(ready.tool.call(JSON.stringify(ready.input), context))
  return settle(body.run(ready.input, context), context)
}

/** Some values throw at whoever asks what they are; such a one is replaced by words about it. */
function readable(thrown: unknown, call: ToolCall): unknown {
  try {
    void (thrown instanceof Error)
    return thrown
  } catch {
    const details = { toolName: call.name, callId: call.id }
    return new ToolExecutionError(messageOfThrown(thrown), details)
  }
}

interface TimedWork {
  readonly context: DefaultToolContext
  readonly start: () => unknown
}

/** Settles by the deadline whether or not the tool listens; what comes later is dropped and noticed. */
async function inTime(batch: Batch, ready: ReadyCall, work: TimedWork): Promise<unknown> {
  const started = work.start()
  if (!(started instanceof Promise)) return started
  const own = ready.tool.metadata?.timeoutMs
  const timeoutMs = own === 'unlimited' ? Infinity : (own ?? batch.settings.limits.toolTimeoutMs)
  if (timeoutMs === Infinity) return started
  return new Promise((resolve, reject) => {
    let late = false
    const cancel = batch.settings.clock.timer(timeoutMs, () => {
      late = true
      const error = new ToolTimeoutError(timeoutMs, {
        toolName: ready.call.name,
        callId: ready.call.id,
      })
      work.context.abort(error)
      reject(error)
    })
    const settled = (): void => {
      cancel()
      if (late) noticeLate(batch, ready.call)
    }
    started.then(resolve, reject).finally(settled)
  })
}

function noticeLate(batch: Batch, call: ToolCall): void {
  const message = `Tool "${call.name}" settled after its timeout; the result was dropped.`
  batch.run.emit?.({ type: 'notice', code: 'late-result', message, data: { callId: call.id } })
}

async function convert(tool: ToolCallback, result: unknown): Promise<ToolOutput> {
  const { definition } = tool
  const body = bodyOf(tool)
  if (!body) return asOutput(result)
  const checked = body.checkOutput ? await checkedOutput(definition.name, body, result) : result
  const output = body.convert(checked, { definition })
  return asOutput(output instanceof Promise ? await output : output)
}

async function failureText(batch: Batch, call: ToolCall, thrown: unknown): Promise<string> {
  const error = ToolExecutionError.wrap(
    thrown,
    { toolName: call.name, callId: call.id },
    redact(messageOfThrown(thrown)),
  )
  const text: unknown = await batch.settings.exceptionProcessor(error)
  return typeof text === 'string' && text !== '' ? text : `Tool "${call.name}" failed.`
}

interface Recorded extends StepOutcome {
  readonly value?: unknown
}

function record(
  batch: Batch,
  {
    call,
    tool,
    ...rest
  }: Pick<ReadyCall, 'call' | 'tool'> & Partial<Pick<ReadyCall, 'edited' | 'json'>>,
  outcome: Recorded,
): CallOutcome {
  const { isError, value } = outcome
  const told =
    rest.edited && !tool.metadata?.returnDirect
      ? withEdit(outcome.output, rest.json?.())
      : outcome.output
  const label = labelOf(tool)
  const response = batch.counter.told(call, {
    id: call.id,
    name: call.name,
    content: cutOutput(told, batch.settings.limits.resultBytes),
    ...(isError && { isError }),
    ...(label && { label }),
  })
  batch.run.emit?.({
    type: 'tool-result',
    toolCall: call,
    response,
    ...(value !== undefined && { value }),
  })
  return { response }
}

/** The model asked for something else than what was run: it should know. */
function withEdit(output: ToolOutput, input: Json | undefined): ToolOutput {
  const note = `The arguments were changed before it ran: ${JSON.stringify(input)}`
  return typeof output === 'string'
    ? `${output}\n\n${note}`
    : [...output, { type: 'text', text: note }]
}

function labelOf(tool: ToolCallback): Label | undefined {
  const labels = tool.metadata?.labels
  if (!labels?.emits && !labels?.reads) return undefined
  return {
    trust: labels.emits ?? 'trusted',
    ...(labels.reads === 'private' && { private: true as const }),
    source: tool.definition.name,
  }
}
