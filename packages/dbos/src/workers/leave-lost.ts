/** Runs of this worker that were cancelled, or that another worker has by now: their tools are told at once. */
import type { OpenRuns } from '../runs/open-runs.ts'

export async function leaveLost({ pool, schema, scopes }: OpenRuns): Promise<void> {
  const here = [...scopes]
  if (here.length === 0) return
  const { rows } = await pool.query<{ readonly id: string; readonly token: string }>({
    name: 'toolwright-owned',
    text: `select workflow_uuid as id, owner_xid as token from "${schema}".workflow_status
      where workflow_uuid = any($1) and owner_xid is not null and status = 'PENDING'`,
    values: [here.map(({ workflowId }) => workflowId)],
  })
  // By workflow: DBOS gives all that a worker takes from the queue at once the same token.
  const tokens = new Map(rows.map(({ id, token }) => [id, token]))
  for (const scope of here) if (tokens.get(scope.workflowId) !== scope.ownerXid) scope.leave()
}
