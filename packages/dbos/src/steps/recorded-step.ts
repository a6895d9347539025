/**
 * A step of a run as a step of DBOS. DBOS numbers steps by the order of their starting and keeps what they give; the
 * name it compares at a replay is the step's key. What a step throws is kept as a value, because DBOS would keep it as
 * an error of another class.
 */
import { DBOS, DBOSWorkflowConflictError, Error as Errors } from '@dbos-inc/dbos-sdk'
import { DurabilityError, ToolwrightError, type ToolStep } from 'toolwright'
import { errorOf, failureOf, type Failure } from './failure.ts'
import { storedText } from './stored-text.ts'

/** What a step needs of the run that it belongs to. */
export interface StepScope {
  readonly workflowId: string
  /** How large a record may be, in bytes. */
  readonly stepBytes: number
  /**
   * Asks the database whether this worker may run the step. It is asked while DBOS looks for a record: what it writes
   * is what an earlier life wrote, if there was one.
   */
  begin(step: string, tool: ToolStep | undefined): Promise<void> | undefined
  /** The step has no record and runs here. */
  enter(step: string, tool: ToolStep | undefined): void
  /** What the steps of this life gave: DBOS would take the same key again for another step. */
  readonly given: Map<string, unknown>
  /** Whether this worker has left the run: what its steps give or throw is nobody's any more. */
  readonly isLeft: boolean
}

export interface WorkOf<T> {
  readonly key: string
  readonly run: () => Promise<T>
  readonly tool?: ToolStep | undefined
}

type Kept = { readonly value: unknown } | { readonly failure: Failure }

export function recordedStep<T>(scope: StepScope, { key, run, tool }: WorkOf<T>): Promise<T> {
  const name = storedText(key)
  // Nothing is begun any more: it would count as cut off for the worker that has the run next.
  if (scope.isLeft) return Promise.reject(new DBOSWorkflowConflictError(scope.workflowId))
  if (scope.given.has(name)) return Promise.resolve(scope.given.get(name) as T)
  let live: { readonly value: T } | { readonly thrown: unknown } | undefined
  const begun = scope.begin(name, tool)
  // A step that has a record never looks at it.
  begun?.catch(() => {})
  const work = async (): Promise<string> => {
    try {
      if (begun) await begun
      scope.enter(name, tool)
      const value = await run()
      const record = recordOf({ value }, { scope, key, tool })
      live = { value }
      return record
    } catch (thrown) {
      // DBOS keeps nothing of a step that throws this: whoever owns the run now does the step.
      if (thrown instanceof DBOSWorkflowConflictError) throw thrown
      if (scope.isLeft) throw new DBOSWorkflowConflictError(scope.workflowId)
      live = { thrown }
      return recordOf({ failure: failureOf(thrown) }, { scope, key, tool })
    }
  }
  return DBOS.runStep(work, { name }).then(
    (record) => {
      const value = live ? settled(live) : (valueIn(record) as T)
      scope.given.set(name, value)
      return value
    },
    (thrown: unknown) => {
      throw thrown instanceof Errors.DBOSUnexpectedStepError ? otherStep(key, thrown) : thrown
    },
  )
}

/** The code took another way than before the crash. */
const otherStep = (key: string, cause: Error): DurabilityError =>
  new DurabilityError(
    'replay-mismatch',
    `The run comes to the step ${key} where another one is recorded; its advisors or hooks are others now.`,
    { cause },
  )

function valueIn(record: string): unknown {
  const kept = JSON.parse(record) as Kept
  if ('failure' in kept) throw errorOf(kept.failure)
  return kept.value
}

function settled<T>(live: { readonly value: T } | { readonly thrown: unknown }): T {
  if ('thrown' in live) throw live.thrown
  return live.value
}

interface Recorded {
  readonly scope: StepScope
  readonly key: string
  readonly tool: ToolStep | undefined
}

function recordOf(kept: Kept, { scope, key, tool }: Recorded): string {
  const { stepBytes } = scope
  let record: string
  try {
    record = JSON.stringify(kept)
  } catch (cause) {
    throw new DurabilityError(
      'step-too-large',
      `What the step ${key} gave has no JSON form, so it cannot be recorded.`,
      { cause },
    )
  }
  // One character is at most three bytes; counting is worth it only near the limit.
  const bytes = record.length * 3 > stepBytes ? Buffer.byteLength(record) : 0
  if (bytes <= stepBytes || 'failure' in kept) return record
  // What an undo would be given must not cost the run: the call is then one that cannot be undone.
  const lighter = tool?.isUndoable ? withoutValue(kept.value) : undefined
  if (lighter) return recordOf({ value: lighter }, { scope, key, tool })
  throw new DurabilityError(
    'step-too-large',
    `What the step ${key} gave takes ${bytes} bytes; a step may take ${stepBytes}.`,
  )
}

/** The record of a call without what its tool returned; nothing if it has none. */
function withoutValue(record: unknown): object | undefined {
  const { value, ...rest } = Object(record) as { readonly value?: unknown }
  return value === undefined ? undefined : rest
}

/** The call was begun before, and nobody knows how it ended. */
export const unknownOutcome = ({ toolName, callId }: ToolStep): DurabilityError =>
  new DurabilityError(
    'unknown-outcome',
    `Tool "${toolName}" was cut off in call ${callId}: nobody knows whether it had its effect.`,
  )

export const isUnknownOutcome = (thrown: unknown): boolean =>
  ToolwrightError.is(thrown) && thrown.code === 'unknown-outcome'
