/**
 * The last three steps of a call's walk: 5 run · 6 convert · 7 record. A failure becomes a response;
 * only the exception processor can make it end the run.
 */
import { ToolExecutionError, ToolTimeoutError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import type { Label, ToolCall, ToolResponse } from '../messages/message.ts'
import type { PendingCall } from '../messages/run-state.ts'
import { sleep } from '../ports/clock.ts'
import { DefaultToolContext, SuspendSignal } from '../tools/default-tool-context.ts'
import { convertResult } from '../tools/result-converter.ts'
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
  const work = async (): Promise<StepOutcome> => {
    try {
      const result = await runGated(batch, ready)
      value = result.value
      return { output: result.output }
    } catch (thrown) {
      if (thrown instanceof SuspendSignal || batch.run.signal?.aborted) throw thrown
      return { output: await failureText(batch, call, thrown), isError: true }
    }
  }
  try {
    const step = batch.run.step ?? batch.settings.durability.step
    const outcome = await step(`tool/${call.id}`, work)
    return record(batch, ready, { ...outcome, value })
  } catch (thrown) {
    if (!(thrown instanceof SuspendSignal)) throw thrown
    const { question } = thrown
    return {
      pending: {
        callId: call.id,
        toolName: tool.definition.name,
        input: ready.json(),
        kind: 'question',
        question,
      },
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
  const { tool, input } = ready
  const metadata = tool.metadata ?? DEFAULT_METADATA
  if (!metadata.lock && !metadata.cache && !metadata.rateLimit) return runWithRetry(batch, ready)
  const cached = metadata.cache && gates.cached(tool, input)
  if (cached) return cached
  const work = async (): Promise<ToolResult> => {
    await gates.paced(tool, run.signal)
    const result = await runWithRetry(batch, ready)
    if (metadata.cache) gates.remember(tool, input, { output: result.output, value: result.value })
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
  const context = new DefaultToolContext({
    values: ready.values,
    callId: call.id,
    toolName: tool.definition.name,
    attempt,
    idempotencyKey: run.runId === undefined ? call.id : `${run.runId}/${call.id}`,
    answers: ready.answers,
    onProgress: (progress) => run.emit?.({ type: 'tool-progress', toolCall: call, progress }),
    ...historyFor(batch, tool),
  })
  run.emit?.({ type: 'tool-execution-start', toolCall: call, input })
  batch.running.add(context)
  try {
    const body = bodyOf(tool)
    const result = await inTime(batch, ready, { context, start: () => start(ready, body, context) })
    if (context.suspended) throw context.suspended
    return body
      ? { output: await convert(tool, result), value: result }
      : { output: result as ToolOutput, value: result }
  } catch (thrown) {
    throw context.suspended ?? thrown
  } finally {
    batch.running.delete(context)
  }
}

function start(ready: ReadyCall, body: ToolBody | undefined, context: DefaultToolContext): unknown {
  if (!body) return Promise.resolve(ready.tool.call(JSON.stringify(ready.input), context))
  const returned = body.run(ready.input, context)
  const mayTakeTime = typeof returned === 'object' && returned !== null
  return mayTakeTime ? settle(returned, (value) => context.progress(value)) : returned
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
  if (!body) return convertResult(result, { definition })
  const checked = body.checkOutput ? await checkedOutput(definition.name, body, result) : result
  const output = body.convert(checked, { definition })
  return output instanceof Promise ? await output : output
}

async function failureText(batch: Batch, call: ToolCall, thrown: unknown): Promise<string> {
  const error = ToolExecutionError.wrap(
    thrown,
    { toolName: call.name, callId: call.id },
    messageOfThrown(thrown),
  )
  const text = await batch.settings.exceptionProcessor(error)
  return text === '' ? `Tool "${call.name}" failed.` : text
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
  }: Pick<ReadyCall, 'call' | 'tool'> & { readonly edited?: true; readonly input?: unknown },
  outcome: Recorded,
): CallOutcome {
  const { isError, value } = outcome
  const told =
    rest.edited && !tool.metadata?.returnDirect
      ? withEdit(outcome.output, rest.input)
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
function withEdit(output: ToolOutput, input: unknown): ToolOutput {
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
