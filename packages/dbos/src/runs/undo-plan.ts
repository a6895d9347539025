/** What a run did, as its records have it: the calls to undo, newest first, and those that cannot be undone. */
import type { Pool } from 'pg'
import type { Json, ToolStep } from 'toolwright'
import { patiently } from '../database/patiently.ts'
import { storedText, textOfStored } from '../steps/stored-text.ts'
import type { OpenRuns } from './open-runs.ts'

/** A call whose tool can take it back. */
export interface CallToUndo {
  readonly callId: string
  readonly toolName: string
  readonly effect: ToolStep['effect']
  readonly input: Json
  readonly result: Json
  /** The fingerprint of its tool, if the client offered it itself. */
  readonly definition: string | null
  /** The key of the step that undoes it. */
  readonly step: string
  /** The step has its record: nothing is left to do. */
  readonly isSettled: boolean
}

export type Planned =
  | { readonly toUndo: CallToUndo }
  | { readonly callId: string; readonly toolName: string; readonly reason: string }

/** A call that was begun, as the table of effects has it. */
interface BegunCall {
  readonly workflow_id: string
  readonly step: string
  readonly call_id: string
  readonly tool: string
  readonly effect: ToolStep['effect']
  readonly undoable: boolean
  readonly input: string | null
  readonly definition: string | null
}

/** What the record of a call's step holds, as far as undoing needs it. */
type CallRecord =
  { readonly isError?: true; readonly question?: Json; readonly value?: Json } | undefined

type StepInfo = NonNullable<Awaited<ReturnType<OpenRuns['dbos']['listWorkflowSteps']>>>[number]

/** Not by DBOS.listWorkflowSteps(), which would record all of it as a step of this workflow. */
const stepsOf = async ({ dbos }: OpenRuns, workflowId: string): Promise<readonly StepInfo[]> =>
  (await patiently(() => dbos.listWorkflowSteps(workflowId))) ?? []

export const undoIdOf = (runId: string): string => `${runId}/undo`

export async function undoPlan(open: OpenRuns, runId: string): Promise<readonly Planned[]> {
  const settled = new Set((await stepsOf(open, undoIdOf(runId))).map(({ name }) => name))
  return (await newestFirst(open, runId)).flatMap((done) => planned(done, settled))
}

interface Done {
  readonly call: BegunCall
  /** What DBOS has recorded of it; nothing if it was cut off. */
  readonly step: StepInfo | undefined
}

/** Ordered by the numbers of DBOS, not by clocks: several workers may have run the calls. */
async function newestFirst(open: OpenRuns, runId: string): Promise<readonly Done[]> {
  const calls = await patiently(() => begunCalls(open.pool, runId))
  const all: Done[] = []
  // Segments follow each other; the newest rows are of the last one.
  for (const workflowId of new Set(calls.map(({ workflow_id }) => workflow_id))) {
    const steps = await stepsOf(open, workflowId)
    const done = calls
      .filter(({ workflow_id }) => workflow_id === workflowId)
      .map((call) => ({ call, step: steps.findLast(({ name }) => name === call.step) }))
    all.push(...done.toSorted((a, b) => placeOf(b) - placeOf(a)))
  }
  return all
}

const placeOf = ({ step }: Done): number => step?.functionID ?? Infinity

async function begunCalls(pool: Pool, runId: string): Promise<readonly BegunCall[]> {
  const { rows } = await pool.query<BegunCall>(
    `select workflow_id, step, call_id, tool, effect, undoable, input, definition from toolwright.effects
     where run_id = $1 and effect <> 'read' order by number desc`,
    [runId],
  )
  return rows
}

/** Nothing for a call that had no effect: it asked a question instead. */
function planned({ call, step }: Done, settled: ReadonlySet<string>): readonly Planned[] {
  const [callId, toolName] = [textOfStored(call.call_id), textOfStored(call.tool)]
  const because = (reason: string): readonly Planned[] => [{ callId, toolName, reason }]
  const record = recordIn(step)
  if (record === 'cut-off') return because(CUT_OFF)
  if (record?.question !== undefined) return []
  if (record === undefined || record.isError)
    return because('It failed: nobody knows whether it had an effect.')
  if (!call.undoable) return because(isInside(call) ? MADE_BY_A_TOOL : 'Its tool has no undo.')
  const { value: result } = record
  if (result === undefined)
    return because('What it returned was too large to be kept, and its undo needs it.')
  const { effect, definition } = call
  const input = JSON.parse(call.input!) as Json
  const name = `undo/${call.workflow_id}/${call.step}`
  const isSettled = settled.has(storedText(name))
  return [
    { toUndo: { callId, toolName, effect, input, result, definition, step: name, isSettled } },
  ]
}

/** Ids of calls that a tool makes have a `/`; the steps of a run inside a tool stand in those of its call. */
const isInside = ({ call_id, step }: BegunCall): boolean =>
  call_id.includes('/') || step.includes('/inside-call/')

const MADE_BY_A_TOOL = 'A tool has made it: only calls of the model itself are undone.'

const CUT_OFF = 'It was cut off: nobody knows whether it had its effect.'

/** What the call's step gave; undefined if it threw. */
function recordIn(step: StepInfo | undefined): CallRecord | 'cut-off' {
  if (typeof step?.output !== 'string') return 'cut-off'
  const kept = JSON.parse(step.output) as {
    readonly value?: CallRecord
    readonly failure?: { readonly fields?: { readonly code?: unknown } }
  }
  // The step that found out keeps what it found, if the run fails by it.
  return kept.failure?.fields?.code === 'unknown-outcome' ? 'cut-off' : kept.value
}
