/**
 * An open database as the repository and the run store use it: reads and transactions that wait for locks and for a
 * server that restarts, and that never store anything twice.
 */
import { ConfigurationError, DatabaseError, ToolwrightError } from 'toolwright'
import { migrate } from '../schema/migrate.ts'
import type { AnyKysely } from './any-kysely.ts'
import type { Database, DatabaseKind } from './database.ts'
import type { Fault } from './fault.ts'
import { Patience } from './patience.ts'
import { toDatabaseError } from './to-database-error.ts'
import type { Toolkit } from './toolkit.ts'
import { connectionOf, Transaction, type Connection, type Work } from './transaction.ts'

export interface OpenedParts {
  readonly toolkit: Toolkit
  readonly kysely: AnyKysely
  /** How messages call the database. */
  readonly name: string
  readonly waitMs: number
  /** Ends the connections. */
  end(): Promise<void>
}

export class OpenedDatabase implements Database {
  readonly toolkit: Toolkit
  readonly name: string
  readonly #parts: OpenedParts
  readonly #executor: ReturnType<AnyKysely['getExecutor']>
  readonly #anyConnection: Connection
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #readyPrefixes = new Map<string, Promise<void>>()
  #closing: Promise<void> | undefined

  constructor(parts: OpenedParts) {
    this.#parts = parts
    this.#executor = parts.kysely.withoutPlugins().getExecutor()
    this.#anyConnection = connectionOf(this.#executor)
    this.toolkit = parts.toolkit
    this.name = parts.name
  }

  get kind(): DatabaseKind {
    return this.toolkit.dialect.kind
  }

  /**
   * One operation on the tables with this prefix, which are there in the version that this code knows when it starts.
   * `close()` waits for it, and refuses those that come later.
   */
  async during<Value>(prefix: string, operation: () => Promise<Value>): Promise<Value> {
    if (this.#closing)
      throw new DatabaseError('database-closed', `The database ${this.name} was closed.`)
    const work = this.#ready(prefix).then(operation)
    this.#underWay.add(work)
    try {
      return await work
    } finally {
      this.#underWay.delete(work)
    }
  }

  #ready(prefix: string): Promise<void> {
    const known = this.#readyPrefixes.get(prefix)
    if (known) return known
    const made = migrate(this, prefix)
    this.#readyPrefixes.set(prefix, made)
    // A failure is not remembered: what was wrong may be put right.
    made.catch(() => this.#readyPrefixes.delete(prefix))
    return made
  }

  /** Reads, each statement on any connection. Tried again after a fault that passes. */
  read<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value> {
    return this.#translated((patience) =>
      this.#patiently(patience, () => work(this.#anyConnection)),
    )
  }

  /**
   * All of the work or nothing of it. After a fault that passes it is done again from the start, so it must have no
   * effect but its statements; after a commit that got no answer it is given what it gave, to find out.
   */
  write<Value>(work: Work<Value>): Promise<Value> {
    let doubtful: { readonly value: Value } | undefined
    const attempt = async (): Promise<Value> => {
      const transaction = new Transaction<Value>(this.toolkit.dialect)
      try {
        return await this.#executor.provideConnection((each) => {
          const connection = connectionOf(each)
          return transaction.runOn(connection, () => work(connection, doubtful?.value))
        })
      } catch (thrown) {
        if (this.#faultOf(thrown).isLost) doubtful = transaction.ended ?? doubtful
        throw thrown
      }
    }
    return this.#translated(async (patience) => {
      try {
        return await this.#patiently(patience, attempt)
      } catch (thrown) {
        throw doubtful && !ToolwrightError.is(thrown) ? unsure(this.name, thrown) : thrown
      }
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #end(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
    await this.#parts.end()
  }

  /** Whatever it throws is an error of the catalogue. */
  async #translated<Value>(attempt: (patience: Patience) => Promise<Value>): Promise<Value> {
    try {
      return await attempt(new Patience(this.#parts.waitMs))
    } catch (thrown) {
      throw toDatabaseError(thrown, { dialect: this.toolkit.dialect, name: this.name })
    }
  }

  async #patiently<Value>(patience: Patience, attempt: () => Promise<Value>): Promise<Value> {
    for (;;) {
      try {
        return await attempt()
      } catch (thrown) {
        const { pauseMs } = this.#faultOf(thrown)
        if (pauseMs === undefined || !(await patience.pause(pauseMs))) throw thrown
      }
    }
  }

  /** Errors of toolwright are none of the driver's. */
  #faultOf(thrown: unknown): Partial<Fault> {
    return ToolwrightError.is(thrown) ? {} : this.toolkit.dialect.faultOf(thrown)
  }
}

/** A commit got no answer, and nothing says any more whether it happened. */
export const unsure = (name: string, cause?: unknown): DatabaseError =>
  new DatabaseError(
    'database-unsure',
    `The database ${name} was lost while it stored something, and it cannot be found out whether it did.`,
    { cause },
  )

/** What `openDatabase()` gave. */
export function openedOf(database: Database, where: string): OpenedDatabase {
  if (database instanceof OpenedDatabase) return database
  throw new ConfigurationError(
    'invalid-option',
    `${where} takes a database that openDatabase() opened; await it first.`,
  )
}
