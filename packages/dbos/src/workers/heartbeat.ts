/**
 * A worker says that it lives by raising a counter. Nobody compares clocks: a database that restarts, a clock that
 * jumps and a worker that is stopped for a while cannot make anybody look dead who raises the counter.
 */
import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'

export class Heartbeat {
  readonly #pool: Pool
  readonly #executorId: string
  readonly #session = randomUUID()

  constructor(pool: Pool, executorId: string) {
    this.#pool = pool
    this.#executorId = executorId
  }

  /** False when another process goes by the same name. */
  async beat(): Promise<boolean> {
    const { rowCount } = await this.#pool.query({
      name: 'toolwright-beat',
      text: `insert into toolwright.workers (executor_id, session) values ($1, $2)
        on conflict (executor_id) do update set beats = toolwright.workers.beats + 1, stopped = false, at = now()
        where toolwright.workers.session = excluded.session`,
      values: [this.#executorId, this.#session],
    })
    return rowCount === 1
  }

  /** Takes the name over from a process that does not beat any more. */
  async take(beats: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `update toolwright.workers set session = $2, beats = beats + 1, stopped = false, at = now()
       where executor_id = $1 and beats = $3`,
      [this.#executorId, this.#session, beats],
    )
    return rowCount === 1
  }

  /** How often whoever has the name has beaten; undefined if nobody has it. */
  async beats(): Promise<{ readonly beats: string; readonly stopped: boolean } | undefined> {
    const { rows } = await this.#pool.query<{ beats: string; stopped: boolean }>(
      'select beats, stopped from toolwright.workers where executor_id = $1',
      [this.#executorId],
    )
    return rows[0]
  }

  /** Its runs may be taken over at once. */
  async stop(): Promise<void> {
    await this.#pool.query(
      'update toolwright.workers set stopped = true, beats = beats + 1, at = now() where executor_id = $1 and session = $2',
      [this.#executorId, this.#session],
    )
  }
}
