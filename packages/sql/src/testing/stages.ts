/** The databases that every test of this package runs on, each fresh and empty. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect, type Dialect } from 'kysely'
import Libsql from 'libsql'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { openDatabase, type Database, type OpenDatabaseOptions } from '@toolwright/sql'
import {
  HAS_POSTGRES,
  NO_POSTGRES,
  startPostgres,
  type PostgresServer,
} from '../../../../test/postgres/postgres-server.ts'

/** Tables with any prefix. */
type AnyTables = { readonly [table: string]: { readonly [column: string]: unknown } }

export interface Stage {
  /** Opens the same database once more, as another process would. */
  open(options?: OpenDatabaseOptions): Promise<Database>
  /** A connection that knows nothing of toolwright, to look and to break. */
  readonly plain: Kysely<AnyTables>
  /** For `openDatabase()`. Empty where only a Kysely leads to it. */
  readonly address: string
  readonly server?: PostgresServer
}

export interface StageOptions {
  /** Of PostgreSQL. */
  readonly settings?: { readonly [name: string]: string }
  /** Tests of what only a server does, on the same one. */
  readonly ofServers?: (stage: () => Stage) => void
}

/** Runs the tests on a file of SQLite and on a server of PostgreSQL. */
export function onBothDatabases(
  define: (stage: () => Stage) => void,
  { settings, ofServers }: StageOptions = {},
): void {
  describe('SQLite', () => {
    let made: Stage | undefined
    let folder = ''
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'toolwright-sql-'))
      made = sqliteStage(join(folder, 'a.db'))
    })
    afterAll(async () => {
      await made?.plain.destroy()
      rmSync(folder, { recursive: true })
    })
    define(() => made!)
  })

  describe('PostgreSQL', () => {
    let made: Stage | undefined
    beforeAll(async () => {
      if (HAS_POSTGRES) made = postgresStage(await startPostgres(settings))
    })
    afterAll(async () => {
      await made?.plain.destroy()
      await made?.server?.[Symbol.asyncDispose]()
    })
    // The run reports the reason.
    beforeEach(({ skip }) => skip(...NO_POSTGRES))
    define(() => made!)
    ofServers?.(() => made!)
  })
}

export function sqliteStage(file: string): Stage {
  const address = `file:${file}`
  return {
    address,
    plain: sqliteKysely(address),
    open: (options) => openDatabase(address, options),
  }
}

function postgresStage(server: PostgresServer): Stage {
  return {
    address: server.url,
    server,
    plain: postgresKysely(server.url),
    open: (options) => openDatabase(server.url, options),
  }
}

export const sqliteKysely = (address: string): Kysely<AnyTables> =>
  new Kysely({ dialect: sqliteDialect(address) })

const postgresKysely = (url: string): Kysely<AnyTables> =>
  new Kysely({ dialect: postgresDialect(url) })

const sqliteDialect = (address: string): Dialect =>
  new SqliteDialect({ database: new Libsql(address, { timeout: 5_000 }) as never })

function postgresDialect(url: string): Dialect {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  return new PostgresDialect({ pool })
}

let prefixes = 0
/** Tables that no other test uses. */
export const freshPrefix = (): string => `t${++prefixes}_`

type Logged = { readonly sql: string; readonly parameters: readonly unknown[] }

/** One more connection, which tells every statement it runs. */
export function loggedKysely(stage: Stage, tell: (statement: Logged) => void): Kysely<AnyTables> {
  const made = stage.server ? postgresDialect(stage.address) : sqliteDialect(stage.address)
  return new Kysely({ dialect: made, log: ({ query }) => tell(query) })
}
