/**
 * A Kysely of the application's, whatever its version: what this package needs of it. A type of its own, because
 * classes of two versions of Kysely are different types to the compiler.
 */
export interface AnyKysely {
  readonly isTransaction: boolean
  /** Plugins would rename our columns and parse our texts. */
  withoutPlugins(): AnyKysely
  getExecutor(): {
    readonly adapter: { readonly supportsReturning?: boolean }
    executeQuery(statement: AnyStatement): Promise<AnyResult>
    provideConnection<T>(work: (connection: AnyConnection) => Promise<T>): Promise<T>
  }
}

export interface AnyConnection {
  executeQuery(statement: AnyStatement): Promise<AnyResult>
}

export interface AnyResult {
  readonly rows: readonly unknown[]
}

/** A compiled query of Kysely. */
export interface AnyStatement {
  readonly query: object
  readonly queryId: object
  readonly sql: string
  readonly parameters: readonly unknown[]
}
