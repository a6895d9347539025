/** One try of a transaction on one connection, and what is known of its end. */
import type { CompiledQuery } from 'kysely'
import type { AnyConnection, AnyStatement } from './any-kysely.ts'
import type { SqlDialect } from './sql-dialect.ts'

/** Runs one statement after another. */
export interface Connection {
  run<Row>(query: CompiledQuery<Row>): Promise<readonly Row[]>
}

export const connectionOf = (connection: AnyConnection): Connection => ({
  async run<Row>(query: CompiledQuery<Row>) {
    const { rows } = await connection.executeQuery(query)
    return rows as readonly Row[]
  },
})

/** `before` is what an earlier try gave whose commit got no answer: it may have happened, and the work has to find out. */
export interface Work<Value> {
  (connection: Connection, before: Value | undefined): Promise<Value>
}

export class Transaction<Value> {
  /** What the work gave, as soon as the commit was asked for. */
  ended: { readonly value: Value } | undefined
  readonly #dialect: SqlDialect

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect
  }

  async runOn(connection: Connection, work: () => Promise<Value>): Promise<Value> {
    await connection.run(statement(this.#dialect.begin))
    try {
      const value = await work()
      this.ended = { value }
      await connection.run(statement('commit'))
      return value
    } catch (thrown) {
      // The reason is what was thrown: a connection that is gone cannot roll back, and needs not.
      await connection.run(statement('rollback')).catch(() => {})
      throw thrown
    }
  }
}

/** A statement that was not made by Kysely's builder. */
export const statement = <Row>(
  sql: string,
  parameters: readonly unknown[] = [],
): CompiledQuery<Row> =>
  ({ sql, parameters, query: RAW, queryId: RAW }) satisfies AnyStatement as never

/** Executors only hand these on, to plugins and logs. */
const RAW = Object.freeze({
  kind: 'RawNode',
  sqlFragments: [],
  parameters: [],
  queryId: 'toolwright',
})
