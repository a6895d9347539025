/**
 * The time that a call gives to the functions of the application around its tool: those that check, decide and
 * convert. Each has the tool's time limit. Where the tool itself may run without limit, they have the run's.
 */
import { ToolTimeoutError } from '../errors/errors.ts'
import type { ToolCall } from '../messages/message.ts'
import { inTime, type TimeLimit } from '../ports/in-time.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { Batch } from './call.ts'

export function timeLimitOf({ settings, run }: Batch, tool: ToolCallback): TimeLimit {
  const { clock, limits } = settings
  const { timeoutMs } = tool.metadata ?? DEFAULT_METADATA
  const isLimited = typeof timeoutMs === 'number' && timeoutMs !== Infinity
  return { clock, ms: isLimited ? timeoutMs : limits.toolTimeoutMs, signal: run.signal }
}

interface CallOf {
  readonly batch: Batch
  readonly call: ToolCall
  readonly tool: ToolCallback
}

/** `what` begins the words of the error: `${what} within 100 ms`. */
export function inCallTime<T>(
  { batch, call, tool }: CallOf,
  work: Promise<T>,
  what: string,
): Promise<T> {
  const limit = timeLimitOf(batch, tool)
  return inTime(limit, work, () => {
    throw new ToolTimeoutError(limit.ms, { toolName: call.name, callId: call.id }, what)
  })
}
