/** What results bring into a run while a batch is under way: a policy sees it at once. */
import type { Label } from '../messages/message.ts'
import { joinedLabel } from '../messages/run-label.ts'
import type { LiveMark } from './call.ts'

/** @param from labels to start with */
export function liveMark(from: readonly (Label | undefined)[] = []): LiveMark {
  let mark: Label | undefined
  const raise = (label: Label): void => void (mark = joinedLabel(label, mark))
  for (const label of from) if (label) raise(label)
  return {
    get label() {
      return mark
    },
    raise,
  }
}
