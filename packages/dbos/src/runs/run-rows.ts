/** The rows of the runs, read and written. */
import type { Pool } from 'pg'
import type { ConversationKey, Decisions, PendingCall, RunResult } from 'toolwright'
import type {
  DurableInput,
  DurablePage,
  DurableQuery,
  DurableStatus,
  ListedUndo,
} from '../durable-run.ts'
import type { LoggedBatch } from '../events/event-log.ts'
import type { Failure } from '../steps/failure.ts'
import type { Owner } from '../steps/owner.ts'
import type { UndoBlock } from './undo-block.ts'
import { decisionsIn } from './kept-decisions.ts'
import type { OpenRuns } from './open-runs.ts'

/** A run as it stands. */
export interface RunRow {
  readonly run_id: string
  readonly client: string
  readonly status: DurableStatus
  readonly segment: number
  readonly workflow_id: string
  readonly result: string | null
  readonly error: string | null
  readonly refusal: string | null
  readonly decided_by: string | null
}

const COLUMNS = 'run_id, client, status, segment, workflow_id, result, error, refusal, decided_by'

export async function readRun(pool: Pool, runId: string): Promise<RunRow | undefined> {
  const { rows } = await pool.query<RunRow>({
    name: 'toolwright-run',
    text: `select ${COLUMNS} from toolwright.runs where run_id = $1`,
    values: [runId],
  })
  return rows[0]
}

/** The same without what may be large. */
export async function readStanding(
  pool: Pool,
  runId: string,
): Promise<Pick<RunRow, 'client' | 'status' | 'segment' | 'workflow_id'> | undefined> {
  const { rows } = await pool.query<RunRow>({
    name: 'toolwright-standing',
    text: 'select client, status, segment, workflow_id from toolwright.runs where run_id = $1',
    values: [runId],
  })
  return rows[0]
}

/** What a worker needs to begin a segment, or to begin it again. */
export interface SegmentRow extends RunRow {
  readonly input: string
  readonly decisions: string | null
  /** What is in the log. */
  readonly logged: readonly LoggedBatch[]
  /** The tools that the run has used, with their fingerprints. */
  readonly used: readonly UsedTool[]
}

export interface UsedTool {
  readonly tool: string
  readonly definition: string
}

export async function readSegment(pool: Pool, runId: string): Promise<SegmentRow | undefined> {
  const { rows } = await pool.query<SegmentRow>({
    name: 'toolwright-segment',
    text: `select ${COLUMNS}, input, decisions,
        (select coalesce(json_agg(json_build_object('first', first, 'segment', segment, 'events', events)
          order by first), '[]') from toolwright.events where run_id = $1) as logged,
        ${USED} as used
      from toolwright.runs r where run_id = $1`,
    values: [runId],
  })
  return rows[0]
}

export const USED = `(select coalesce(json_agg(distinct jsonb_build_object('tool', tool, 'definition', definition)), '[]')
  from toolwright.effects e where e.run_id = r.run_id and definition is not null)`

export async function readLogged(
  pool: Pool,
  runId: string,
  from = 0,
): Promise<readonly LoggedBatch[]> {
  const { rows } = await pool.query<LoggedBatch>({
    name: 'toolwright-logged',
    text: 'select first, segment, events from toolwright.events where run_id = $1 and first >= $2 order by first',
    values: [runId, from],
  })
  return rows
}

/** What became of a segment. */
export interface SegmentEnd {
  readonly status: DurableStatus
  readonly result?: RunResult
  readonly failure?: Failure
}

/** False when this worker does not own the run any more, or the run was cancelled. */
export async function endSegment(
  pool: Pool,
  owner: Owner,
  { status, result, failure }: SegmentEnd,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'toolwright-end',
    text: `update toolwright.runs set status = $4, result = coalesce($5, result), pending = $6, error = $7,
        updated_at = now()
      where run_id = $3 and workflow_id = $1 and status in ('running', $4)
        and exists (select 1 from "${owner.schema}".workflow_status where workflow_uuid = $1 and owner_xid = $2)`,
    values: [
      owner.workflowId,
      owner.ownerXid,
      owner.runId,
      status,
      result ? JSON.stringify(result) : null,
      result?.pending ? JSON.stringify(result.pending) : null,
      failure ? JSON.stringify(failure) : null,
    ],
  })
  return rowCount === 1
}

/** A decision was refused before anything ran: the run waits as before. Sent again after a lost answer, it is the same. */
export async function refuseDecision(pool: Pool, owner: Owner, refusal: Failure): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update toolwright.runs set status = 'suspended', refusal = $4, updated_at = now()
     where run_id = $3 and workflow_id = $1 and status in ('running', 'suspended')
       and exists (select 1 from "${owner.schema}".workflow_status where workflow_uuid = $1 and owner_xid = $2)`,
    [owner.workflowId, owner.ownerXid, owner.runId, JSON.stringify(refusal)],
  )
  return rowCount === 1
}

/** Not by the JSON of PostgreSQL, which takes neither NUL nor half characters. */
export const inputOf = ({ input }: Pick<SegmentRow, 'input'>): DurableInput =>
  JSON.parse(input) as DurableInput

export const resultOf = ({ result }: RunRow): RunResult => JSON.parse(result!) as RunResult

export const decisionsOf = ({ decisions }: SegmentRow): Decisions | undefined =>
  decisions === null ? undefined : decisionsIn(decisions)

interface ListedRow extends Pick<RunRow, 'run_id' | 'client' | 'status' | 'error'> {
  readonly number: string
  readonly conversation: string | null
  readonly pending: string | null
  readonly undo_block: string | null
  readonly undoing: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

export interface ListQuery extends Required<Pick<DurableQuery, 'limit'>> {
  readonly status: DurableStatus | undefined
  readonly client: string | undefined
  readonly after: number
}

export async function listRuns(
  { pool, schema }: Pick<OpenRuns, 'pool' | 'schema'>,
  { status, client, limit, after }: ListQuery,
): Promise<DurablePage> {
  const { rows } = await pool.query<ListedRow>(
    `select number, run_id, client, status, conversation, error, created_at, updated_at, undo_block,
       case when status = 'suspended' then pending end as pending,
       (select s.status from "${schema}".workflow_status s where s.workflow_uuid = r.run_id || '/undo') as undoing
     from toolwright.runs r
     where number > $1 and ($2::text is null or status = $2) and ($3::text is null or client = $3)
     order by number limit $4`,
    [after, status ?? null, client ?? null, limit + 1],
  )
  const runs = rows.slice(0, limit).map((row) => ({
    runId: row.run_id,
    client: row.client,
    status: row.status,
    ...(row.conversation !== null && {
      conversation: JSON.parse(row.conversation) as ConversationKey,
    }),
    ...(row.pending !== null && { pending: JSON.parse(row.pending) as readonly PendingCall[] }),
    ...(row.error !== null && { error: errorFacts(JSON.parse(row.error) as Failure) }),
    ...(row.undoing !== null && { undo: undoOf(row.undoing, row.undo_block) }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }))
  return rows.length > limit ? { runs, cursor: rows[limit - 1]!.number } : { runs }
}

function errorFacts({ message, fields }: Failure): NonNullable<ListedUndo['error']> {
  const code = fields?.['code']
  return { code: typeof code === 'string' ? code : 'durable-failed', message }
}

function undoOf(status: string, block: string | null): ListedUndo {
  if (block !== null)
    return { status: 'blocked', error: errorFacts((JSON.parse(block) as UndoBlock).failure) }
  return { status: UNDOING[status] ?? 'given-up' }
}

/** By what DBOS says of the workflow. */
const UNDOING: { readonly [status: string]: ListedUndo['status'] } = {
  ENQUEUED: 'waiting',
  PENDING: 'waiting',
  SUCCESS: 'done',
}
