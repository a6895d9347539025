/** States that were used and runs that wait, in a database that several processes share. */
import { randomUUID } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import {
  checkOptions,
  checkNumber,
  ConfigurationError,
  DatabaseError,
  type PendingRun,
  type PendingRunPage,
  type PendingRunQuery,
  type RunStore,
} from 'toolwright'
import { checkPrefix } from '../check-prefix.ts'
import type { Database } from '../database/database.ts'
import { openedOf, type OpenedDatabase } from '../database/opened-database.ts'
import type { Work } from '../database/transaction.ts'
import { checkKey, checkText, hashOf, hashOfKey, hashOfTenant } from '../schema/hashes.ts'
import { narrowedBy } from '../schema/narrowed-by.ts'
import { toStoredText } from '../schema/stored-text.ts'
import { fromCursor, pageOf } from '../schema/page-cursor.ts'
import { runQueries, type RunQueries, type WaitingRow } from './run-queries.ts'

export interface SqlRunStoreOptions {
  /** What the names of the tables start with. Default `toolwright_`. */
  readonly prefix?: string
  /**
   * Runs that wait longer than this many milliseconds are forgotten: no longer found or listed, and removed a few at
   * a time when others are saved. Default: never. That a state was used is never forgotten, because it could be used
   * again then.
   */
  readonly retentionMs?: number
  /** What time it is. Default: the clock of this process. */
  readonly clock?: { now(): number }
}

/** A run store that also keeps the runs. */
export type SqlRunStore = Required<RunStore>

/**
 * A run store in the database. Its tables are made when it is first used.
 *
 * @example
 * const client = ChatClient.create(model, { runStore: sqlRunStore(database), stateSecret })
 */
export function sqlRunStore(database: Database, options: SqlRunStoreOptions = {}): SqlRunStore {
  const where = 'sqlRunStore()'
  checkOptions(where, options, ['prefix', 'retentionMs', 'clock'])
  const { prefix = 'toolwright_', retentionMs, clock = { now: () => Date.now() } } = options
  checkPrefix(prefix)
  if (retentionMs !== undefined)
    checkNumber('retentionMs', retentionMs, { least: 1, isWhole: true })
  const runs = new SqlRuns(openedOf(database, where), { prefix, retentionMs, clock })
  return {
    use: (stateId, by) => runs.use(stateId, by),
    save: (run) => runs.save(run),
    find: (runId) => runs.find(runId),
    list: (query) => runs.list(query),
  }
}

type RunSettings = Pick<SqlRunStoreOptions, 'retentionMs'> &
  Required<Omit<SqlRunStoreOptions, 'retentionMs'>>

class SqlRuns {
  readonly #database: OpenedDatabase
  readonly #settings: RunSettings
  readonly #queries: RunQueries

  constructor(database: OpenedDatabase, settings: RunSettings) {
    this.#database = database
    this.#settings = settings
    this.#queries = runQueries(database.toolkit, settings.prefix)
  }

  async use(stateId: string, by?: string): Promise<boolean> {
    checkText('stateId', stateId)
    if (by !== undefined) checkText('by', by)
    const hash = hashOf(stateId)
    const user = by === undefined ? null : toStoredText(by)
    const useId = randomUUID()
    return this.#write(async (connection) => {
      const mark = { hash, stateId: toStoredText(stateId), by: user, useId, now: this.#now() }
      const [first] = await connection.run(this.#queries.use(mark))
      if (first) {
        await connection.run(this.#queries.removeUsed({ hash }))
        return true
      }
      const [used] = await connection.run(this.#queries.userOf({ hash }))
      // The same use is here again when its commit got no answer.
      return used?.use_id === useId || (user !== null && used?.used_by === user)
    })
  }

  async save(run: PendingRun): Promise<void> {
    const row = rowOf(run)
    await this.#write(async (connection) => {
      // A run that is replayed may save what it saved before, which must not take the place of what came later.
      const used = await connection.run(this.#queries.userOf({ hash: row.stateHash }))
      if (used.length === 0) await connection.run(this.#queries.save(row))
      const before = this.#since()
      if (before > FOREVER) await connection.run(this.#queries.forget({ before }))
    })
  }

  async find(runId: string): Promise<PendingRun | undefined> {
    checkText('runId', runId)
    const query = this.#queries.find({ hash: hashOf(runId), since: this.#since() })
    const [row] = await this.#read(query)
    return row && this.#runOf(row)
  }

  async list(query: PendingRunQuery = {}): Promise<PendingRunPage> {
    checkOptions('list()', query, ['tenant', 'conversation', 'limit', 'cursor'])
    const { limit = 50, cursor } = query
    checkNumber('limit', limit, { least: 1, isWhole: true })
    const after = cursor === undefined ? undefined : fromCursor(cursor)
    const narrowed = narrowedBy(query)
    const asked = { ...narrowed, after, since: this.#since(), limit: limit + 1 }
    const { rows, ...more } = pageOf(await this.#read(this.#queries.list(asked)), limit, (row) => ({
      at: Number(row.saved_at),
      id: Number(row.id),
    }))
    return { runs: rows.map((row) => this.#runOf(row)), ...more }
  }

  #read<Row>(query: CompiledQuery<Row>): Promise<readonly Row[]> {
    const database = this.#database
    return database.during(this.#settings.prefix, () => database.read((each) => each.run(query)))
  }

  #write<Value>(work: Work<Value>): Promise<Value> {
    const database = this.#database
    return database.during(this.#settings.prefix, () => database.write(work))
  }

  #now(): number {
    return Math.floor(this.#settings.clock.now())
  }

  /** What was saved before is forgotten. */
  #since(): number {
    const { retentionMs } = this.#settings
    return retentionMs === undefined ? FOREVER : this.#now() - retentionMs
  }

  #runOf({ run_id, content }: WaitingRow): PendingRun {
    try {
      const run = JSON.parse(content) as PendingRun | null
      if (typeof run?.runId === 'string' && typeof run.state === 'object') return run
    } catch {
      // Said below.
    }
    const { prefix } = this.#settings
    throw new DatabaseError(
      'database-corrupt',
      `The row of run ${JSON.stringify(run_id.slice(0, 200))} in ${prefix}waiting_runs of the database ${this.#database.name} holds no run.`,
    )
  }
}

const FOREVER = Number.MIN_SAFE_INTEGER

function rowOf(run: PendingRun) {
  const { runId, stateId, conversation, savedAt } = run ?? {}
  checkText('runId', runId)
  checkText('stateId', stateId)
  if (conversation !== undefined) checkKey(conversation)
  if (!Number.isFinite(savedAt))
    throw new ConfigurationError('invalid-option', 'savedAt is no time in milliseconds.')
  return {
    runHash: hashOf(runId),
    runId: toStoredText(runId),
    stateHash: hashOf(stateId),
    keyHash: conversation === undefined ? null : hashOfKey(conversation),
    tenantHash: hashOfTenant(conversation),
    savedAt: Math.floor(savedAt),
    content: jsonOf(run),
  }
}

function jsonOf(run: PendingRun): string {
  try {
    return JSON.stringify(run)
  } catch (cause) {
    const message = `The run ${JSON.stringify(run.runId)} cannot be written as JSON.`
    throw new ConfigurationError('state-invalid', message, { cause })
  }
}
