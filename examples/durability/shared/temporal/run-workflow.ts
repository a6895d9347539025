/**
 * A run as a workflow of Temporal: it keeps the journal, starts the activity in which the client runs, and waits for
 * decisions. Temporal runs this file in its sandbox, so it imports types of toolwright and nothing else of it.
 */
import {
  ApplicationFailure,
  condition,
  continueAsNew,
  defineUpdate,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow'
import type { Decisions, RunState } from 'toolwright'
import { StepJournal, type Begun, type Life, type StepEnd, type StepStart } from './step-journal.ts'

/** What one activity does: the run until it rests. */
export type Segment =
  | { readonly number: number; readonly prompt: string }
  | { readonly number: number; readonly state: RunState; readonly decisions: Decisions }

export type SegmentResult =
  | { readonly status: 'done' | 'limit'; readonly text: string }
  | { readonly status: 'suspended'; readonly state: RunState }

export interface RunActivities {
  runSegment(segment: Segment): Promise<SegmentResult>
}

export const beginStep = defineUpdate<Begun, [StepStart]>('beginStep')
export const endStep = defineUpdate<undefined, [StepEnd]>('endStep')
/** Refused unless the run waits, so that the first decision wins and whoever comes later hears of it. */
export const decide = defineUpdate<undefined, [Decisions]>('decide')

const { runSegment } = proxyActivities<RunActivities>({
  startToCloseTimeout: '1 day',
  // A worker that is silent for so long is taken for dead, and another attempt begins elsewhere.
  heartbeatTimeout: '10 seconds',
  retry: { maximumAttempts: 50, nonRetryableErrorTypes: ['ConfigurationError', 'DurabilityError'] },
})

export async function durableRun(segment: Segment): Promise<SegmentResult> {
  serveSteps(new StepJournal(segment.number))
  const decided = decisionsOnce()
  const result = await runSegment(segment)
  if (result.status !== 'suspended') return result
  // The state has all that the next segment needs: the history starts anew and stays small.
  return continueAsNew<typeof durableRun>({
    number: segment.number + 1,
    state: result.state,
    decisions: await decided(),
  })
}

function serveSteps(journal: StepJournal): void {
  // What a validator refuses leaves no trace in the history.
  const validator = (life: Life): void => {
    if (journal.isStale(life)) throw refusal('Another attempt has taken the run over.')
  }
  setHandler(beginStep, (step) => journal.begin(step), { validator })
  setHandler(endStep, (step) => void journal.end(step), { validator })
}

/** The handler is there from the start: Temporal would keep an early decision for later instead of refusing it. */
function decisionsOnce(): () => Promise<Decisions> {
  let isWaiting = false
  let decisions: Decisions | undefined
  const validator = (_given: Decisions): void => {
    if (!isWaiting || decisions) throw refusal('The run does not wait for a decision.')
  }
  setHandler(decide, (given) => void (decisions = given), { validator })
  return async () => {
    isWaiting = true
    await condition(() => decisions !== undefined)
    return decisions!
  }
}

const refusal = (message: string): ApplicationFailure => ApplicationFailure.nonRetryable(message)
