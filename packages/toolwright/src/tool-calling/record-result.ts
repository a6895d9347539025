/** Step 7 of a call's walk: record. The response that the model gets, and the event that says so. */
import type { Label, ToolResponse } from '../messages/message.ts'
import { joinedLabel } from '../messages/run-label.ts'
import { labelOf } from '../tools/declared-labels.ts'
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
import { cutOutput } from './cut-output.ts'

interface Outcome extends StepOutcome {
  readonly value?: unknown
  readonly checked?: unknown
  readonly error?: unknown
  /** Instead of the tool's own. */
  readonly label?: Label | undefined
  /** `output` is what `toldOf` gave. */
  readonly isTold?: boolean
}

export function recordResult(
  batch: Batch,
  settled: ReadyCall | SuppliedCall | RefusedCall,
  outcome: Outcome,
): CallOutcome {
  const { output, isError, value, error, isTold } = outcome
  const { call } = settled
  const tool = settled.kind === 'refused' ? undefined : settled.tool
  const response: ToolResponse = {
    id: call.id,
    name: call.name,
    content: isTold ? output : toldOf(batch, settled, outcome),
  }
  const marked = settled.kind === 'ready' ? settled.marked : undefined
  const label = outcome.label ?? (tool && saidLabel(tool, marked))
  const isDenied = settled.kind === 'refused' && settled.isDenied
  const whole =
    isError || label
      ? {
          ...response,
          ...(isError && { isError }),
          ...(isDenied && { denied: true as const }),
          ...(label && { label }),
        }
      : response
  const { nesting, mark, counter, run } = batch
  if (label) mark?.raise(label)
  // Whoever made the call inside a tool is no model that repeats itself.
  const told = nesting ? whole : counter.withHint(call, whole)
  run.emit?.({ type: 'tool-result', toolCall: call, response: told, value })
  if (!nesting) return { response: told, error }
  const { json, code } = isTold ? outcome : nesting.told(settled, outcome)
  return { response: told, error, ...(json !== undefined && { json }), ...(code && { code }) }
}

/** What the model reads of an outcome: cut, and with the arguments that really ran. */
export function toldOf(
  batch: Batch,
  settled: ReadyCall | SuppliedCall | RefusedCall,
  { output, isError }: StepOutcome,
): StepOutcome['output'] {
  const content = settled.kind !== 'refused' && settled.edited ? withEdit(settled, output) : output
  // A direct answer goes to the user as it is; what of it goes to the model is cut with its batch.
  const isWhole =
    !isError && settled.kind !== 'refused' && settled.tool.metadata?.returnDirect === true
  return isWhole ? content : cutOutput(content, batch.settings.limits.resultBytes)
}

/** The response to a call that does not run. */
export function recordRefusal(batch: Batch, refused: RefusedCall): CallOutcome {
  refused.tell?.()
  return recordResult(batch, refused, { output: refused.why, isError: true })
}

/** Adds a note with the arguments that really ran. A direct answer goes to the user, so it gets none. */
const withEdit = (
  { tool, edited }: ReadyCall | SuppliedCall,
  output: StepOutcome['output'],
): StepOutcome['output'] =>
  tool.metadata?.returnDirect
    ? output
    : withNote(output, `The arguments were changed before it ran: ${JSON.stringify(edited)}`)

/** The label of what a tool says: its own, and what calls or a run inside it brought. */
export function saidLabel(tool: ToolCallback, brought: Label | undefined): Label | undefined {
  const own = labelOf(tool)
  if (!brought) return own
  return joinedLabel(own ?? { trust: 'trusted', source: tool.definition.name }, brought)
}
