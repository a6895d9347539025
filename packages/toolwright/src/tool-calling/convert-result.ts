/**
 * Step 6 of a call's walk: convert. A tool's own result is converted by its converter (tools/to-output.ts);
 * here are the other two origins of a result: a failure, and a value that the application supplied.
 */
import { ToolExecutionError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { inTime } from '../ports/in-time.ts'
import { toOutput } from '../tools/to-output.ts'
import type { Batch, CallOutcome, ReadyCall, StepOutcome, SuppliedCall } from './call.ts'
import { inCallTime, timeLimitOf } from './call-time.ts'
import { recordResult } from './record-result.ts'

/**
 * Words for the model about what a tool threw. The exception processor may end the run instead; one that does
 * not answer in time is not waited for.
 */
export async function convertFailure(
  batch: Batch,
  { call, tool }: Pick<ReadyCall, 'call' | 'tool'>,
  thrown: unknown,
): Promise<StepOutcome> {
  const error = ToolExecutionError.wrap(
    thrown,
    { toolName: call.name, callId: call.id },
    redact(messageOfThrown(thrown)),
  )
  const processing = (async (): Promise<unknown> => batch.manager.exceptionProcessor(error))()
  const text = await inTime(timeLimitOf(batch, tool), processing, () => undefined)
  const output = typeof text === 'string' && text ? text : `Tool "${call.name}" failed.`
  return { output, isError: true }
}

/** A result that the application supplied: checked and converted like the tool's own. */
export async function supplyResult(batch: Batch, supplied: SuppliedCall): Promise<CallOutcome> {
  const { call, tool, value } = supplied
  const converting = toOutput(tool, value, (work, what) =>
    inCallTime({ batch, call, tool }, work, what),
  )
  const outcome = await converting.catch(async (error: unknown) => ({
    error,
    ...(await convertFailure(batch, supplied, error)),
  }))
  return recordResult(batch, supplied, outcome)
}
