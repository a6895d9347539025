/** Opens the database, launches DBOS, and makes this process a worker. */
import { DBOS, DBOSClient, DBOSWorkflowConflictError } from '@dbos-inc/dbos-sdk'
import { dbRetryConfig } from '@dbos-inc/dbos-sdk/internal/utils'
import type { Pool } from 'pg'
import { DurabilityError } from 'toolwright'
import { toDatabaseError } from './database/fault.ts'
import { inTurn } from './database/in-turn.ts'
import { migrate } from './database/migrate.ts'
import { openPool } from './database/open-pool.ts'
import { durableClients } from './durable-clients.ts'
import type { DurableRuns } from './durable-run.ts'
import type { DurableSettings } from './durable-settings.ts'
import { leaveAll, OpenDurableRuns } from './open-durable-runs.ts'
import {
  APPLICATION,
  QUEUE,
  RUN_WORKFLOW,
  UNDO_WORKFLOW,
  VERSION,
  type OpenRuns,
} from './runs/open-runs.ts'
import { runSegment } from './runs/run-segment.ts'
import { RunWatch } from './runs/run-watch.ts'
import { secretOf } from './runs/secret-of.ts'
import { undoRun } from './runs/undo-run.ts'
import { silent } from './silent-logger.ts'
import { MEND_EVERY, Worker } from './workers/worker.ts'

/** Nobody puts anything into it: a process that listens to it runs no runs. */
const NO_QUEUE = 'toolwright-none'

/** DBOS runs once per process, and its workflows are registered once. */
let current: OpenRuns | 'opening' | undefined
let isRegistered = false

function registerWorkflows(): void {
  if (isRegistered) return
  isRegistered = true
  const config = { maxRecoveryAttempts: 50 }
  DBOS.registerWorkflow((runId: string) => runSegment(opened(), runId), {
    name: RUN_WORKFLOW,
    ...config,
  })
  DBOS.registerWorkflow((runId: string) => undoRun(opened(), runId), {
    name: UNDO_WORKFLOW,
    ...config,
  })
}

function opened(): OpenRuns {
  if (typeof current === 'object') return current
  // The one error that DBOS does not record: another worker runs the run.
  throw new DBOSWorkflowConflictError(DBOS.workflowID!)
}

export async function launchDurableRuns(settings: DurableSettings): Promise<DurableRuns> {
  if (current !== undefined || DBOS.isInitialized())
    throw new DurabilityError(
      'durable-already-open',
      current ? 'This process has durable runs open.' : 'This process has launched DBOS itself.',
    )
  current = 'opening'
  const { url, connections } = settings
  const pool = openPool({ url, connections })
  // Of its own, so that a busy worker still says that it lives.
  const besides = openPool({ url, connections: 2 })
  try {
    return await openOn(settings, { pool, besides })
  } catch (thrown) {
    // Runs that DBOS has begun meanwhile are left to other workers.
    if (typeof current === 'object') leaveAll(current)
    if (DBOS.isInitialized()) await DBOS.shutdown().catch(() => {})
    current = undefined
    await Promise.allSettled([pool.end(), besides.end()])
    throw toDatabaseError(thrown)
  }
}

interface Pools {
  readonly pool: Pool
  readonly besides: Pool
}

async function openOn(settings: DurableSettings, { pool, besides }: Pools): Promise<DurableRuns> {
  const { executorId, heartbeatMs, missedHeartbeats, stepBytes, retentionMs, concurrency } =
    settings
  await migrate(pool)
  const clients = durableClients(settings, await secretOf(pool))
  const opened: { durable?: OpenDurableRuns } = {}
  const worker = new Worker({
    pool: besides,
    executorId,
    heartbeatMs,
    missedHeartbeats,
    // Nobody waits for this closing; whoever closes the runs is told how it went.
    onReplaced: (error) => void opened.durable?.closeWith(error).catch(() => {}),
  })
  await worker.enter()
  registerWorkflows()
  // By default its runs would sleep for up to a minute after the database is back.
  Object.assign(dbRetryConfig, { initialBackoffSec: 0.1, maxBackoffSec: 2 })
  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: settings.url,
    systemDatabasePool: pool,
    executorID: executorId,
    applicationVersion: VERSION,
    useListenNotify: false,
    logger: silent,
    listenQueues: [concurrency === 0 ? NO_QUEUE : QUEUE],
  })
  const dbos = await DBOSClient.create({
    systemDatabaseUrl: settings.url,
    systemDatabasePool: pool,
    applicationName: APPLICATION,
    logger: silent,
  })
  const watch = new RunWatch(besides)
  const open: OpenRuns = {
    executorId, pool, schema: 'dbos', clients, dbos, scopes: new Set(), misfits: new Set(), leaving: new AbortController(), watch,
    retentionMs, stepBytes, isWorker: concurrency > 0, lookMs: MEND_EVERY * heartbeatMs,
  } // prettier-ignore
  // Before the launch: DBOS begins to run what it recovers at once.
  current = open
  await inTurn(besides, () => DBOS.launch())
  if (concurrency > 0)
    await DBOS.registerQueue(QUEUE, {
      workerConcurrency: concurrency,
      minPollingIntervalMs: 100,
      onConflict: 'always_update',
    })
  worker.start(open)
  opened.durable = new OpenDurableRuns(open, {
    worker,
    besides,
    onClosed: () => (current = undefined),
  })
  return opened.durable
}
