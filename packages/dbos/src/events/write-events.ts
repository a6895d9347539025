/** Writes a batch of events, if the writer still owns the run. */
import type { Pool } from 'pg'
import { owned, ownerValues, type Owner } from '../steps/owner.ts'
import type { EventBatch } from './event-log.ts'

export interface WrittenBatch {
  readonly batch: EventBatch
  readonly segment: number
}

interface WrittenRow {
  readonly owned: boolean
  readonly writer: string | null
}

/** False when an earlier owner has written in this place. What a worker writes that owns the run no more is dropped. */
export async function writeEvents(
  pool: Pool,
  owner: Owner,
  { batch, segment }: WrittenBatch,
): Promise<boolean> {
  const { rows } = await pool.query<WrittenRow>({
    name: 'toolwright-told',
    text: `with ${owned(owner)}, told as (
        insert into toolwright.events (run_id, first, segment, events, writer)
        select $3, $4::integer, $5::integer, $6::text, $2 from owner
        on conflict (run_id, first) do update set writer = toolwright.events.writer
        returning writer)
      select exists (select 1 from owner) as owned, (select writer from told) as writer`,
    values: [...ownerValues(owner), batch.first, segment, batch.events],
  })
  const { owned: isOwner, writer } = rows[0]!
  return !isOwner || writer === owner.ownerXid
}
