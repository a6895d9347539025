/** Why an undoing waits for another worker, as the row of its run keeps it. */
import { failureOf, type Failure } from '../steps/failure.ts'
import type { UndoNeed } from './undo-fitness.ts'

/** Why nobody undoes it, and what a worker needs that shall. */
export interface UndoBlock {
  readonly failure: Failure
  readonly needs: readonly UndoNeed[]
}

export const undoBlockOf = (why: Error, needs: readonly UndoNeed[]): UndoBlock => ({
  failure: failureOf(why),
  needs: needs.map(({ callId, toolName, input, definition }) => ({
    callId,
    toolName,
    input,
    definition,
  })),
})
