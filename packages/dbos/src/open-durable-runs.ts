/** Durable runs that are open: what a program asks of them, and how this worker leaves. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Pool } from 'pg'
import { DurabilityError } from 'toolwright'
import { patiently } from './database/patiently.ts'
import type { DurableRuns } from './durable-run.ts'
import { AttachedRun } from './runs/attached-run.ts'
import { cancelRun } from './runs/cancel-run.ts'
import { decideRun, unknownRun } from './runs/decide-run.ts'
import { listPage } from './runs/list-page.ts'
import type { OpenRuns } from './runs/open-runs.ts'
import { readStanding } from './runs/run-rows.ts'
import { CALLER_PATIENCE, isRunId, startRun } from './runs/start-run.ts'
import type { Worker } from './workers/worker.ts'

/** What ends with them. */
export interface OpenParts {
  readonly worker: Worker
  /** The connections for heartbeats and for those who wait. */
  readonly besides: Pool
  /** DBOS may be launched again. */
  onClosed(): void
}

export class OpenDurableRuns implements DurableRuns {
  readonly #open: OpenRuns
  readonly #parts: OpenParts
  #closing: Promise<void> | undefined
  #why = new DurabilityError('durable-closed', 'The durable runs were closed.')

  constructor(open: OpenRuns, parts: OpenParts) {
    this.#open = open
    this.#parts = parts
  }

  get executorId(): string {
    return this.#open.executorId
  }

  start: DurableRuns['start'] = async (client, input, options) => {
    this.#check()
    return new AttachedRun(this.#open, await startRun(this.#open, client, { input, options }))
  }

  attach: DurableRuns['attach'] = async (runId) => {
    this.#checkFor(runId)
    if (!(await patiently(() => readStanding(this.#open.pool, runId), CALLER_PATIENCE)))
      throw unknownRun(runId)
    return new AttachedRun(this.#open, runId)
  }

  decide: DurableRuns['decide'] = async (runId, decisions) => {
    this.#checkFor(runId)
    return new AttachedRun(this.#open, runId, await decideRun(this.#open, runId, decisions))
  }

  list: DurableRuns['list'] = async (query = {}) => {
    this.#check()
    return listPage(this.#open, query)
  }

  cancel: DurableRuns['cancel'] = async (runId, options) => {
    this.#checkFor(runId)
    return cancelRun(this.#open, runId, options)
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#end())
  }

  /** Another process has this worker's name: what it still does counts for nothing. */
  closeWith(error: DurabilityError): Promise<void> {
    this.#why = error
    return this.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #check(): void {
    if (this.#closing) throw this.#why
  }

  /** No run is called what `start` would refuse, and PostgreSQL takes not every text. */
  #checkFor(runId: string): void {
    this.#check()
    if (!isRunId(runId)) throw unknownRun(String(runId))
  }

  async #end(): Promise<void> {
    const { watch, pool, dbos } = this.#open
    const { worker, besides, onClosed } = this.#parts
    watch.close(this.#why)
    await worker.end()
    leaveAll(this.#open)
    let ended: Promise<void> | undefined
    try {
      // At once: a step whose record DBOS still looks for fails now, and DBOS would record that as what the step gave.
      await DBOS.shutdown().finally(() => void (ended = pool.end()))
      await worker.leave()
      await dbos.destroy()
    } finally {
      onClosed()
      await Promise.allSettled([ended, besides.end()])
    }
  }
}

/** Whatever this process still does for a run counts for nothing; another worker goes on with it. */
export function leaveAll({ scopes, leaving }: OpenRuns): void {
  leaving.abort()
  for (const scope of scopes) scope.leave()
}
