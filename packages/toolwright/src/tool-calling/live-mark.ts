/** What calls bring into a run while a batch is under way: a policy sees it at once. */
import type { Label } from '../messages/message.ts'
import { joinedLabel } from '../messages/run-label.ts'
import { labelOf } from '../tools/declared-labels.ts'
import type { BatchRun, LiveMark, PreparedCall } from './call.ts'

/** Begins with what the run has met besides the messages of its prompt. */
export function liveMark({ label: met, answered = [] }: BatchRun): LiveMark {
  let mark = met
  const raise = (label: Label): void => void (mark = joinedLabel(label, mark))
  for (const { label } of answered) if (label) raise(label)
  return {
    get label() {
      return mark
    },
    raise,
  }
}

/**
 * What a call will bring counts from when it may run: the next one, which runs beside it, is judged as if it ran after
 * it. Nobody knows what tools share behind their results.
 */
export function raiseFor(mark: LiveMark, prepared: PreparedCall): void {
  const label =
    prepared.kind === 'ready' || prepared.kind === 'supplied' ? labelOf(prepared.tool) : undefined
  if (label) mark.raise(label)
}
