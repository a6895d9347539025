/** Step 7 of a call's walk: record. The response that the model gets, and the event that says so. */
import type { Label, ToolResponse } from '../messages/message.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import { withNote } from './call-counter.ts'
import type {
  Batch,
  CallOutcome,
  ReadyCall,
  RefusedCall,
  StepOutcome,
  SuppliedCall,
} from './call.ts'
import { jsonOf } from './check-call.ts'
import { cutOutput } from './cut-output.ts'

interface Outcome extends StepOutcome {
  readonly value?: unknown
  readonly error?: unknown
}

export function recordResult(
  batch: Batch,
  settled: ReadyCall | SuppliedCall | RefusedCall,
  { output, isError, value, error }: Outcome,
): CallOutcome {
  const { call } = settled
  const tool = settled.kind === 'refused' ? undefined : settled.tool
  const content = settled.kind === 'ready' && settled.edited ? withEdit(settled, output) : output
  // A direct answer goes to the user as it is; what of it goes to the model is cut with its batch.
  const isWhole = !isError && tool?.metadata?.returnDirect === true
  const response: ToolResponse = {
    id: call.id,
    name: call.name,
    content: isWhole ? content : cutOutput(content, batch.settings.limits.resultBytes),
  }
  const label = tool?.metadata?.labels && labelOf(tool)
  const whole =
    isError || label
      ? { ...response, ...(isError && { isError }), ...(label && { label }) }
      : response
  const told = batch.counter.withHint(call, whole)
  batch.run.emit?.({ type: 'tool-result', toolCall: call, response: told, value })
  return { response: told, error }
}

/** The response to a call that does not run. */
export const recordRefusal = (batch: Batch, refused: RefusedCall): CallOutcome =>
  recordResult(batch, refused, { output: refused.why, isError: true })

/** Adds a note with the arguments that really ran. A direct answer goes to the user, so it gets none. */
const withEdit = (ready: ReadyCall, output: StepOutcome['output']): StepOutcome['output'] =>
  ready.tool.metadata?.returnDirect
    ? output
    : withNote(output, `The arguments were changed before it ran: ${JSON.stringify(jsonOf(ready))}`)

/** The label of what a tool says. */
export function labelOf({ metadata, definition }: ToolCallback): Label | undefined {
  const { emits, reads } = metadata?.labels ?? {}
  if (!emits && !reads) return undefined
  return {
    trust: emits ?? 'trusted',
    ...(reads && { private: true as const }),
    source: definition.name,
  }
}
