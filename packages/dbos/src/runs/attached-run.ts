/** A run seen from any process: everything is read from the database. */
import {
  checkOptions,
  checkNumber,
  DurabilityError,
  ResumeError,
  type ChatEvent,
  type RunResult,
} from 'toolwright'
import { patiently } from '../database/patiently.ts'
import type { CancelOptions, CancelReport, DurableRun, EventsOptions } from '../durable-run.ts'
import { eventsIn } from '../events/event-log.ts'
import { errorOf, type Failure } from '../steps/failure.ts'
import { cancelRun } from './cancel-run.ts'
import { unknownRun } from './decide-run.ts'
import type { OpenRuns } from './open-runs.ts'
import { readLogged, readRun, readStanding, resultOf, type RunRow } from './run-rows.ts'

const LOOK_MS = 100

export class AttachedRun implements DurableRun {
  readonly runId: string
  readonly #open: OpenRuns
  /** The segment that must have ended before the run counts as at rest. */
  readonly #segment: number

  constructor(open: OpenRuns, runId: string, segment = 0) {
    this.#open = open
    this.runId = runId
    this.#segment = segment
  }

  async result(): Promise<RunResult> {
    const { watch, pool } = this.#open
    await watch.until(this.runId, (status, segment) => this.#isAtRest(status, segment))
    const row = await this.#read(() => readRun(pool, this.runId))
    if (!row) throw unknownRun(this.runId)
    const refusal = row.refusal && row.segment === this.#segment ? row.refusal : undefined
    if (refusal) throw refusalOf(JSON.parse(refusal) as Failure)
    return ENDS[row.status]?.(row) ?? resultOf(row)
  }

  async *events(options: EventsOptions = {}): AsyncGenerator<ChatEvent, void> {
    checkOptions('events()', options, ['skip'])
    const { skip = 0 } = options
    checkNumber('skip', skip, { least: 0, isWhole: true })
    const { pool } = this.#open
    let next = 0
    for (;;) {
      // The state first: what is logged before a run rests is there when it rests.
      const standing = await this.#read(() => readStanding(pool, this.runId))
      if (!standing) throw unknownRun(this.runId)
      for (const batch of await this.#read(() => readLogged(pool, this.runId, next))) {
        // Batches of two connections may come in another order than they were numbered in.
        if (batch.first !== next) break
        for (const event of eventsIn(batch)) if (next++ >= skip) yield event
      }
      if (this.#isAtRest(standing.status, standing.segment)) return
      await pause(LOOK_MS)
    }
  }

  async cancel(options?: CancelOptions): Promise<CancelReport> {
    if (this.#open.leaving.signal.aborted) throw closed()
    return cancelRun(this.#open, this.runId, options)
  }

  /** Waits for a database that is away, until the durable runs are closed. */
  async #read<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#open.leaving
    try {
      if (!signal.aborted) return await patiently(work, { signal })
    } catch (thrown) {
      if (!signal.aborted) throw thrown
    }
    throw closed()
  }

  #isAtRest(status: string, segment: number): boolean {
    return status !== 'running' && segment >= this.#segment
  }
}

const closed = (): DurabilityError =>
  new DurabilityError('durable-closed', 'The durable runs were closed.')

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const ENDS: { readonly [status: string]: (row: RunRow) => never } = {
  failed: ({ run_id: runId, error }) => {
    const cause = errorOf(JSON.parse(error!) as Failure)
    const code = isGivenUp(cause) ? 'durable-given-up' : 'durable-failed'
    throw new DurabilityError(code, `Run ${runId} failed: ${sentence(cause.message)}`, {
      runId,
      cause,
    })
  },
  blocked: ({ run_id: runId, error }) => {
    const cause = errorOf(JSON.parse(error!) as Failure)
    throw Object.assign(cause, { runId })
  },
  cancelled: ({ run_id: runId }) => {
    throw new DurabilityError('durable-cancelled', `Run ${runId} was cancelled.`, { runId })
  },
}

const sentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`)

const isGivenUp = (cause: Error & { readonly code?: unknown }): boolean =>
  cause.code === 'durable-given-up'

/** As the resume itself rejected. */
function refusalOf(failure: Failure): Error {
  const { code } = failure.fields ?? {}
  const error = new ResumeError(code as never, '')
  error.message = failure.message
  return error
}
