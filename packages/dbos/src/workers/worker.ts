/** The life of a worker: it beats, looks after the others, and mends what crashes left half done. */
import type { Pool } from 'pg'
import { DurabilityError } from 'toolwright'
import { patiently } from '../database/patiently.ts'
import { leaveLost } from './leave-lost.ts'
import { mend } from './mend.ts'
import { Stranded } from './stranded.ts'
import { repeat, type Repeated } from './repeat.ts'
import { Heartbeat } from './heartbeat.ts'
import { Sweep } from './sweep.ts'
import type { OpenRuns } from '../runs/open-runs.ts'

export interface WorkerParts {
  readonly pool: Pool
  readonly executorId: string
  readonly heartbeatMs: number
  readonly missedHeartbeats: number
  /** Another process goes by this worker's name. */
  onReplaced(error: DurabilityError): void
}

/** Every so many beats the slower work is done. */
export const MEND_EVERY = 10

export class Worker {
  readonly #parts: WorkerParts
  readonly #heartbeat: Heartbeat
  #beating: Repeated | undefined
  #caring: readonly Repeated[] = []

  constructor(parts: WorkerParts) {
    this.#parts = parts
    this.#heartbeat = new Heartbeat(parts.pool, parts.executorId)
  }

  /** Takes the name. Whoever had it must have stopped: two workers of one name would take each other's runs. */
  async enter(): Promise<void> {
    const { missedHeartbeats, heartbeatMs } = this.#parts
    if (await this.#heartbeat.beat()) return
    let before = await this.#heartbeat.beats()
    for (let times = 0; before && !before.stopped && times <= missedHeartbeats; times++) {
      await pause(heartbeatMs)
      const now = await this.#heartbeat.beats()
      if (now && now.beats !== before.beats) throw this.#taken()
      before = now
    }
    const isOurs = before ? await this.#heartbeat.take(before.beats) : await this.#heartbeat.beat()
    if (!isOurs) throw this.#taken()
  }

  start(open: OpenRuns): void {
    const { heartbeatMs, pool, executorId, missedHeartbeats } = this.#parts
    const { schema } = open
    const sweep = new Sweep({ pool, schema, executorId, heartbeatMs, missedHeartbeats })
    this.#beating = repeat(heartbeatMs, async () => {
      // Where the database is away, whoever lives will beat again when it is back.
      const isOurs = await this.#heartbeat.beat().catch(() => true)
      if (!isOurs) this.#parts.onReplaced(this.#taken())
    })
    const stranded = new Stranded(missedHeartbeats)
    const look = async (): Promise<void> => {
      await leaveLost(open)
      await stranded.requeue(open)
      await sweep.look()
    }
    let looks = 0
    // Each by itself: what a tool source or a busy database holds up must not make the worker look dead.
    this.#caring = [
      repeat(heartbeatMs, () => look().catch(() => sweep.forget())),
      repeat(heartbeatMs, async () => {
        if (looks++ % MEND_EVERY === 0) await mend(open).catch(() => {})
      }),
    ]
  }

  /** Beats no more. What it does for others is not waited for. */
  async end(): Promise<void> {
    for (const each of this.#caring) void each.end()
    await this.#beating?.end()
  }

  /** From now on the others take its runs. */
  async leave(): Promise<void> {
    await patiently(() => this.#heartbeat.stop(), { waitMs: 1000 }).catch(() => {
      // They will see that it beats no more.
    })
  }

  #taken(): DurabilityError {
    return new DurabilityError(
      'durable-executor-taken',
      `Another worker that lives is called "${this.#parts.executorId}".`,
    )
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
