import { checkOptions, checkNumber, ConfigurationError } from 'toolwright'
import { patiently } from '../database/patiently.ts'
import type { DurablePage, DurableQuery, DurableStatus } from '../durable-run.ts'
import type { OpenRuns } from './open-runs.ts'
import { listRuns } from './run-rows.ts'
import { CALLER_PATIENCE } from './start-run.ts'

const STATUSES: { readonly [status in DurableStatus]: true } = {
  running: true, suspended: true, done: true, limit: true, failed: true, blocked: true, cancelled: true,
} // prettier-ignore

export function listPage(open: OpenRuns, query: DurableQuery): Promise<DurablePage> {
  checkOptions('list()', query, ['status', 'client', 'limit', 'cursor'])
  const { status, client, limit = 50, cursor = '0' } = query
  checkNumber('limit', limit, { least: 1, isWhole: true })
  if (status !== undefined && !Object.hasOwn(STATUSES, status))
    throw new ConfigurationError(
      'invalid-option',
      `status is one of ${Object.keys(STATUSES).join(', ')}.`,
    )
  if (typeof cursor !== 'string' || !/^\d{1,16}$/.test(cursor))
    throw new ConfigurationError(
      'invalid-option',
      'cursor is no cursor of this list. Give that of the page before, or none for the first page.',
    )
  return patiently(
    () => listRuns(open, { status, client, limit, after: Number(cursor) }),
    CALLER_PATIENCE,
  )
}
