/**
 * Kysely, loaded when a database is opened: importing it costs a program 100 ms. `queries` only builds and compiles;
 * the connections run what it made.
 */
import type { Kysely, Sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { loadDriver } from './load-driver.ts'
import type { SqlDialect } from './sql-dialect.ts'

export interface Toolkit {
  readonly dialect: SqlDialect
  readonly sql: Sql
  /** Queries whose tables have the prefix in front of their names. */
  queries(prefix: string): Kysely<Tables>
}

export async function loadToolkit(dialect: SqlDialect): Promise<Toolkit> {
  const kysely = await loadDriver(() => import('kysely'), 'kysely')
  const { prefixPlugin } = await import('../schema/prefix-plugin.ts')
  const isPostgres = dialect.kind === 'postgres'
  const queries = new kysely.Kysely<Tables>({
    dialect: {
      createAdapter: () => (isPostgres ? new kysely.PostgresAdapter() : new kysely.SqliteAdapter()),
      createDriver: () => new kysely.DummyDriver(),
      createIntrospector: (database) =>
        isPostgres
          ? new kysely.PostgresIntrospector(database)
          : new kysely.SqliteIntrospector(database),
      createQueryCompiler: () =>
        isPostgres ? new kysely.PostgresQueryCompiler() : new kysely.SqliteQueryCompiler(),
    },
  })
  return {
    dialect,
    sql: kysely.sql,
    queries: (prefix) => queries.withPlugin(prefixPlugin(prefix)),
  }
}
