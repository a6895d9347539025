/** Makes the tables, or brings them to the version that this code knows, by one program at a time. */
import { DatabaseError } from 'toolwright'
import type { Toolkit } from '../database/toolkit.ts'
import { statement, type Connection } from '../database/transaction.ts'
import { MIGRATIONS, type Migration } from './migrations.ts'

/** What it needs of an open database. */
export interface MigratedDatabase {
  readonly name: string
  readonly toolkit: Toolkit
  read<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value>
  write<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value>
}

/** `migrations` is for tests: what a later or an earlier release would know. */
export async function migrate(
  database: MigratedDatabase,
  prefix: string,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const { dialect, sql } = database.toolkit
  const queries = database.toolkit.queries(prefix)
  const readVersion = async (connection: Connection): Promise<number> => {
    const tables = await connection.run(statement(dialect.findTable, [`${prefix}schema`]))
    if (tables.length === 0) return 0
    const [row] = await connection.run(queries.selectFrom('schema').select('version').compile())
    return checkedVersion(row?.version)
  }
  const checkedVersion = (version: unknown): number => {
    const found = Number(version)
    if (!Number.isSafeInteger(found) || found < 1)
      throw new DatabaseError(
        'database-corrupt',
        `The table ${prefix}schema of the database ${database.name} has no version.`,
      )
    if (found > migrations.length)
      throw new DatabaseError(
        'database-newer',
        `The tables ${prefix}* of the database ${database.name} have version ${found}; this program knows ${migrations.length}.`,
      )
    return found
  }

  // A database that cannot be written to can be read as long as its version is right.
  if ((await database.read(readVersion)) === migrations.length) return
  await database.write(async (connection) => {
    if (dialect.migrationLock) await connection.run(statement(dialect.migrationLock, [prefix]))
    const version = await readVersion(connection)
    if (version === migrations.length) return
    const steps = migrations
      .slice(version)
      .flatMap((migration) => migration({ queries, dialect, sql, prefix }))
    for (const step of [...(version === 0 ? [schemaTable()] : []), ...steps])
      await connection.run(step.compile())
    await connection.run(
      queries
        .insertInto('schema')
        .values({ id: 1, version: migrations.length })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ version: migrations.length }))
        .compile(),
    )
  })

  function schemaTable() {
    return queries.schema
      .createTable('schema')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull())
  }
}
