/** Opens a database by its address, or takes the one that the application already has. */
import { checkOptions, checkNumber, ConfigurationError } from 'toolwright'
import type { AnyKysely } from './database/any-kysely.ts'
import type { Database } from './database/database.ts'
import { fileOfAddress } from './database/file-of-address.ts'
import { nameOfServer } from './database/name-of-server.ts'
import { openPostgres } from './database/open-postgres.ts'
import { openSqlite } from './database/open-sqlite.ts'
import { OpenedDatabase } from './database/opened-database.ts'
import { postgresDialect } from './database/postgres-dialect.ts'
import type { SqlDialect } from './database/sql-dialect.ts'
import { sqliteDialect } from './database/sqlite-dialect.ts'
import { toDatabaseError } from './database/to-database-error.ts'
import { loadToolkit } from './database/toolkit.ts'
import { connectionOf, statement } from './database/transaction.ts'

export interface OpenDatabaseOptions {
  /**
   * How many milliseconds one operation waits for a file that is locked, a free connection, or a server that
   * restarts. Default 10,000.
   */
  readonly waitMs?: number
  /** How many connections to PostgreSQL there may be at once. Default 10. SQLite has one. */
  readonly connections?: number
}

/**
 * `file:…` is a file of SQLite, made if it is not there: a path as it is written, or a URL with three slashes as
 * `pathToFileURL()` makes it; `?mode=ro` behind it only reads. `:memory:` lives as long as the process;
 * `postgres://user:password@host:port/database` is a server. Or a Kysely of the application's on either.
 *
 * @example
 * await using database = await openDatabase('file:chat.db')
 */
export async function openDatabase(
  source: string | AnyKysely,
  options: OpenDatabaseOptions = {},
): Promise<Database> {
  checkOptions('openDatabase()', options, ['waitMs', 'connections'])
  const { waitMs = 10_000, connections = 10 } = options
  checkNumber('waitMs', waitMs, { least: 0, isWhole: true })
  checkNumber('connections', connections, { least: 1, isWhole: true })
  const given = typeof source === 'string' ? addressed(source.trim()) : ofApplication(source)
  const { name, dialect } = given
  try {
    const kysely = await given.open({ waitMs, connections })
    return await opened(kysely, { ...given, waitMs })
  } catch (thrown) {
    throw toDatabaseError(thrown, { dialect: dialect ?? eitherDialect, name })
  }
}

/** Before it is known which it is. */
const eitherDialect: Pick<SqlDialect, 'faultOf'> = {
  faultOf(thrown) {
    const fault = sqliteDialect.faultOf(thrown)
    return fault.code === 'database-failed' ? postgresDialect.faultOf(thrown) : fault
  },
}

interface Source {
  /** How messages call it. */
  readonly name: string
  /** Absent: the database is asked. */
  readonly dialect?: SqlDialect
  /** It is this package's to close. */
  readonly isOwn: boolean
  open(options: Required<OpenDatabaseOptions>): Promise<ClosableKysely>
}

type ClosableKysely = AnyKysely & { destroy?(): Promise<void> }

function addressed(address: string): Source {
  if (/^postgres(ql)?:\/\//.test(address))
    return {
      name: nameOfServer(address),
      dialect: postgresDialect,
      isOwn: true,
      open: (options) => openPostgres({ url: address, ...options }),
    }
  const file = address === ':memory:' ? address : fileOfAddress(address)
  if (file !== undefined)
    return {
      name: address,
      dialect: sqliteDialect,
      isOwn: true,
      open: ({ waitMs }) => openSqlite(file, waitMs),
    }
  // Whatever it is, a password may be anywhere in it.
  const kind = /^([a-z+]{1,20}:)\/\//i.exec(address)?.[1]
  const what = kind ? `an address that starts with "${kind}"` : 'an address of another kind'
  throw new ConfigurationError(
    'invalid-option',
    `openDatabase() got ${address ? what : 'an empty address'}; ${TAKES}.`,
  )
}

const TAKES =
  'it takes file:path, :memory:, postgres://user:password@host:port/database, or a Kysely'

function ofApplication(kysely: AnyKysely): Source {
  const isKysely =
    typeof kysely?.getExecutor === 'function' && typeof kysely.withoutPlugins === 'function'
  if (!isKysely || kysely.isTransaction)
    throw new ConfigurationError(
      'invalid-option',
      isKysely
        ? 'openDatabase() got a transaction; it takes an address or a Kysely outside of transactions.'
        : `openDatabase() got ${whatIs(kysely)}; ${TAKES}.`,
    )
  if (!kysely.getExecutor().adapter.supportsReturning)
    throw new ConfigurationError(
      'invalid-option',
      'openDatabase() got a Kysely on another database; it takes SQLite and PostgreSQL.',
    )
  return { name: 'of the application', isOwn: false, open: async () => kysely }
}

/** Undefined is mostly a variable of the environment that is not set. */
function whatIs(source: unknown): string {
  if (source === undefined) return 'undefined, perhaps of a variable that is not set'
  return source === null ? 'null' : `something else (${typeof source})`
}

/** `x'41'` is one byte to SQLite and eight bits to PostgreSQL. */
const WHICH = `select length(x'41') as n`

async function opened(
  kysely: ClosableKysely,
  { name, waitMs, isOwn }: Source & { readonly waitMs: number },
): Promise<Database> {
  const end = async (): Promise<void> => {
    if (isOwn) await kysely.destroy?.()
  }
  try {
    const any = connectionOf(kysely.withoutPlugins().getExecutor())
    const rows = await any.run<{ readonly n: unknown }>(statement(WHICH))
    const dialect = Number(rows[0]?.n) === 8 ? postgresDialect : sqliteDialect
    return new OpenedDatabase({ toolkit: await loadToolkit(dialect), kysely, name, waitMs, end })
  } catch (thrown) {
    await end()
    throw thrown
  }
}
