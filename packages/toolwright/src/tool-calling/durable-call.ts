/**
 * One call as a step of a durable run. The record is what the model is told, so that it stays small, or the question
 * that the tool asked, so that a replay asks the same. It names the call that it belongs to: a replay that comes to
 * another call under the same key fails instead of taking its result.
 */
import { DurabilityError, ToolwrightError } from '../errors/errors.ts'
import type { Json } from '../messages/json.ts'
import type { Label } from '../messages/message.ts'
import type { ToolStep } from '../ports/durability.ts'
import { SuspendSignal } from '../tools/default-tool-context.ts'
import type { ToolCallback, ToolOutput } from '../tools/tool-callback.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { Batch, CallOutcome, NestedTold, ReadyCall, ToolResult } from './call.ts'
import { callHash } from './call-hash.ts'
import { jsonOf } from './check-call.ts'
import { convertFailure } from './convert-result.ts'
import { stepKey } from './durable-step.ts'
import { waiting } from './permit-call.ts'
import { plainJson, TOO_LARGE } from './plain-json.ts'
import { recordResult, saidLabel, toldOf } from './record-result.ts'

/** What a step records of a call: one of `output` and `question`. Of a call that a tool made, what that tool reads too. */
interface ToolRecord extends NestedTold {
  readonly toolName: string
  /** Of name and arguments. */
  readonly hash: string
  readonly output?: ToolOutput
  readonly isError?: true
  /** Instead of the tool's own: a run inside it has met more. */
  readonly label?: Label
  /** What the tool returned, if it can undo what it did. */
  readonly value?: Json
  readonly question?: Json
  /** What the tool keeps for itself until it is answered. */
  readonly kept?: Json
}

/** What only the life that ran the tool knows: what it returned or threw, before it became words. */
interface Lived {
  readonly value?: unknown
  readonly error?: unknown
}

/** Nothing is waited for before the step has started: steps are started in call order. */
export async function runAsStep(
  batch: Batch,
  ready: ReadyCall,
  run: () => Promise<ToolResult>,
): Promise<CallOutcome> {
  const { call, turn } = ready
  const tool = toolStepOf(batch, ready)
  const hashing = callHash(tool.toolName, tool.input)
  let lived: Lived | undefined
  const work = async (): Promise<ToolRecord> => {
    lived = {}
    const leave = await turn?.begin()
    try {
      const { record, ...more } = await recorded(batch, ready, run)
      lived = more
      return { toolName: call.name, hash: await hashing, ...record }
    } finally {
      leave?.()
    }
  }
  let record: ToolRecord
  try {
    record = await batch.durable!.step(stepKey(batch, 'tool', call.id), work, tool)
  } catch (thrown) {
    // A step whose work ran failed by itself, whatever it throws.
    if (lived || !ToolwrightError.is(thrown) || thrown.code !== 'unknown-outcome') throw thrown
    return unknownOutcome(batch, ready, thrown)
  }
  checkRecord(record, tool, await hashing)
  const { output, question, kept, isError, label, json, code } = record
  if (output === undefined) return waiting(ready, { kind: 'question', question: question!, kept })
  return taken(ready, () =>
    recordResult(batch, ready, {
      ...lived,
      output,
      ...(isError && { isError }),
      ...(label && { label }),
      isTold: true,
      ...(json !== undefined && { json }),
      ...(code && { code }),
    }),
  )
}

const taken = async ({ turn }: ReadyCall, record: () => CallOutcome): Promise<CallOutcome> =>
  turn ? turn.take(record) : record()

function toolStepOf(batch: Batch, ready: ReadyCall): ToolStep {
  const { call, tool } = ready
  const { effect = 'once' } = tool.metadata ?? DEFAULT_METADATA
  return {
    toolName: call.name,
    callId: call.id,
    effect,
    input: jsonOf(ready),
    isUndoable: isUndoable(batch, tool),
  }
}

/** Whoever cancels a run finds the tools that its client offers, not those that tools call. */
const isUndoable = ({ nesting }: Batch, { metadata }: ToolCallback): boolean =>
  !nesting && typeof metadata?.undo === 'function'

type RecordedCall = Lived & { readonly record: Omit<ToolRecord, 'toolName' | 'hash'> }

function recorded(
  batch: Batch,
  ready: ReadyCall,
  run: () => Promise<ToolResult>,
): Promise<RecordedCall> {
  return run().then(
    ({ output, value, checked, label }): RecordedCall => ({
      value,
      record: {
        output: toldOf(batch, ready, { output }),
        ...(label && { label }),
        ...batch.nesting?.told(ready, { output, checked }),
        ...(isUndoable(batch, ready.tool) && valueToUndo(value)),
      },
    }),
    async (thrown: unknown) => {
      if (thrown instanceof SuspendSignal) {
        const { question, kept } = thrown
        const keeping = kept !== undefined && { kept: plainJson(kept) }
        return { record: { question: plainJson(question), ...keeping } }
      }
      if (batch.run.signal?.aborted) throw thrown
      const failure = await convertFailure(batch, ready, thrown)
      const nested = batch.nesting?.told(ready, { error: thrown })
      return {
        error: thrown,
        record: {
          ...failure,
          output: toldOf(batch, ready, failure),
          ...(ready.marked && { label: saidLabel(ready.tool, ready.marked)! }),
          ...nested,
        },
      }
    },
  )
}

/** Nothing if it is too large: an undo must not be given something else instead. */
function valueToUndo(value: unknown): Pick<ToolRecord, 'value'> {
  const kept = value === undefined ? null : plainJson(value)
  return kept === TOO_LARGE ? {} : { value: kept }
}

function checkRecord(record: ToolRecord, { toolName, callId }: ToolStep, hash: string): void {
  const { hash: recordedHash, toolName: recordedName } = Object(record) as Partial<ToolRecord>
  if (recordedHash === hash) return
  const found =
    recordedHash === undefined
      ? 'is none of a tool call'
      : recordedName === toolName
        ? 'was made with other arguments'
        : `is of tool "${recordedName}"`
  throw new DurabilityError(
    'replay-mismatch',
    `Call "${callId}" of tool "${toolName}" does not match its record, which ${found}.`,
  )
}

const NOBODY_KNOWS =
  'The run was cut off while the tool ran, and nobody knows whether it had its effect.'

/** An earlier life began the call and did not record how it ended; the tool must not run twice by itself. */
function unknownOutcome(
  batch: Batch,
  ready: ReadyCall,
  error: ToolwrightError,
): CallOutcome | Promise<CallOutcome> {
  const { onUnknownOutcome } = batch.settings.durability
  if (onUnknownOutcome === 'fail') throw error
  if (onUnknownOutcome === 'tell-model')
    return taken(ready, () =>
      recordResult(batch, ready, {
        output: `${NOBODY_KNOWS} Do not call it again before you have found out.`,
        isError: true,
        error,
      }),
    )
  return waiting(ready, {
    kind: 'unknown-outcome',
    reason: NOBODY_KNOWS,
    // A tool that waited goes on from there when it is tried again.
    kept: ready.kept,
  })
}
