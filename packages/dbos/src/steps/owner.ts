/** Who writes, checked by the database with every write. */
export interface Owner {
  readonly runId: string
  readonly workflowId: string
  /** Where DBOS has its tables. */
  readonly schema: string
  /** The token of DBOS for this execution of the workflow. Another execution has another one. */
  readonly ownerXid: string
}

/** The first three parameters of every statement that an owner sends. */
export const ownerValues = ({ workflowId, ownerXid, runId }: Owner): readonly string[] => [
  workflowId,
  ownerXid,
  runId,
]

/** Has one row while the writer owns the run, none when the run is another worker's, or cancelled. */
export const owned = ({ schema }: Owner): string => `owner as (
  select 1 from "${schema}".workflow_status
  where workflow_uuid = $1 and owner_xid = $2 and status = 'PENDING'
  and not exists (select 1 from toolwright.runs where run_id = $3::text and status = 'cancelled'))`
