/**
 * Undoes one finished call by its tool's `undo`, for engines that cancel a durable run. It knows nothing of the run:
 * the engine keeps what was called and returned, and sees to it that each call is undone once.
 */
import {
  ConfigurationError,
  ToolExecutionError,
  ToolInputError,
  ToolTimeoutError,
  ToolwrightError,
} from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { untilAborted } from '../internal/on-abort.ts'
import type { Json } from '../messages/json.ts'
import { systemClock, type Clock } from '../ports/clock.ts'
import { inTime } from '../ports/in-time.ts'
import { checkedInput } from './checked-input.ts'
import { DefaultToolContext } from './default-tool-context.ts'
import { settle } from './settle.ts'
import { bodyOf } from './tool-body.ts'
import type { ToolCallback } from './tool-callback.ts'
import { DEFAULT_METADATA, type ToolMetadata } from './tool-metadata.ts'

/** A call that has ended, as an engine kept it. */
export interface FinishedCall {
  /** The checked input as JSON: `input` of the `ToolStep`. */
  readonly input: Json
  /** What the tool returned, as JSON. */
  readonly result: Json
  /** The `toolContext` of the run. Default: none. */
  readonly values?: { readonly [key: string]: unknown }
  readonly callId: string
  /** That of the call, so that `undo` can tell a service which of its effects is meant. */
  readonly idempotencyKey: string
  /** Gives up: `undo` is told by `context.signal`, and not waited for. */
  readonly signal?: AbortSignal
  /** How long `undo` may take, in ms, if its tool has no `timeoutMs`. Default 60,000. */
  readonly timeoutMs?: number | 'unlimited'
  /** Measures that time. Default: the real one. */
  readonly clock?: Clock
}

/** As long as a tool may take by default. */
const UNDO_MS = 60_000

/**
 * Runs the `undo` of a tool for a call that has ended. The input is checked as for the call itself, so `undo` gets
 * what `execute` got; `context.values` are those that the tool's `context` schema declares.
 *
 * Rejects with a `ToolExecutionError` if `undo` fails, is aborted, asks a question or takes too long; with a
 * `ToolInputError` if the input does not fit any more; with a `ConfigurationError` if the tool has no `undo`, or the
 * values lack what it needs. `undo` was not called in the last two cases.
 *
 * @example
 * await undoCall(book, { input: { room: 7 }, result: { id: 'b-1' }, callId, idempotencyKey })
 */
export async function undoCall(tool: ToolCallback, call: FinishedCall): Promise<void> {
  const { undo, input, values } = await prepared(tool, call)
  const { callId, idempotencyKey } = call
  const toolName = tool.definition.name
  const context = new DefaultToolContext({ values, callId, toolName, idempotencyKey })
  const work = async (): Promise<void> => {
    await settle(undo(input as never, call.result as never, context), context)
    if (context.suspended) throw context.suspended
  }
  const limited: Limited<void> = {
    work,
    late: 'its undo did not end',
    stop: (why) => context.abort(why),
  }
  await inItsTime(tool, call, limited).catch((thrown: unknown) => {
    throw failureOf(
      tool,
      call,
      context.suspended ? new Error('undo cannot ask a question') : thrown,
    )
  })
}

/**
 * Rejects where `undoCall` would before it calls `undo`: the tool has none, or does not take this input and these
 * values. An engine asks this to hand the undoing to another worker instead of using it up.
 */
export async function checkUndo(tool: ToolCallback, call: FinishedCall): Promise<void> {
  await prepared(tool, call)
}

function failureOf(
  tool: ToolCallback,
  { callId }: FinishedCall,
  thrown: unknown,
): ToolExecutionError {
  const toolName = tool.definition.name
  return ToolExecutionError.wrap(thrown, { toolName, callId }, redact(messageOfThrown(thrown)))
}

interface Prepared {
  readonly undo: NonNullable<ToolMetadata['undo']>
  readonly input: unknown
  readonly values: { readonly [key: string]: unknown }
}

async function prepared(tool: ToolCallback, call: FinishedCall): Promise<Prepared> {
  const { undo } = tool.metadata ?? DEFAULT_METADATA
  if (typeof undo !== 'function')
    throw new ConfigurationError('invalid-tool', `Tool "${tool.definition.name}" has no undo.`)
  const given = await givenTo(tool, call).catch((thrown: unknown) => {
    throw ToolwrightError.is(thrown) ? thrown : failureOf(tool, call, thrown)
  })
  return { undo, ...given }
}

/** What `execute` got. */
async function givenTo(tool: ToolCallback, call: FinishedCall): Promise<Omit<Prepared, 'undo'>> {
  const { input, values = {} } = call
  const checked = await inItsTime(tool, call, {
    work: async () => checkedInput(tool, input, JSON.stringify(input)),
    late: 'its input was not checked',
  })
  if (!checked.ok) throw new ToolInputError(tool.definition.name, checked.issues)
  const picked = await inItsTime(tool, call, {
    work: async () => bodyOf(tool)?.pickContext?.(values) ?? Object.freeze({ ...values }),
    late: 'its toolContext was not checked',
  })
  return { input: checked.value, values: picked as Prepared['values'] }
}

interface Limited<T> {
  readonly work: () => Promise<T>
  /** Begins the words of the error: `${late} within 100 ms`. */
  readonly late: string
  /** Tells the work that nobody waits for it any more. */
  readonly stop?: (reason: unknown) => void
}

function inItsTime<T>(
  tool: ToolCallback,
  { callId, signal, clock = systemClock, timeoutMs: given = UNDO_MS }: FinishedCall,
  { work, late, stop }: Limited<T>,
): Promise<T> {
  const { timeoutMs = given } = tool.metadata ?? DEFAULT_METADATA
  const ms = timeoutMs === 'unlimited' ? Infinity : timeoutMs
  const timed = (): Promise<T> =>
    inTime({ clock, ms, signal }, work(), () => {
      const error = new ToolTimeoutError(ms, { toolName: tool.definition.name, callId }, late)
      stop?.(error)
      throw error
    })
  return signal ? untilAborted(signal, timed, () => stop?.(signal.reason)) : timed()
}
