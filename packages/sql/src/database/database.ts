/** What a program holds of an open database. Memory repositories and run stores are made of it. */
export type DatabaseKind = 'sqlite' | 'postgres'

export interface Database {
  readonly kind: DatabaseKind
  /**
   * Waits for what is under way, then ends the connections. A Kysely of the application's stays open. Everything
   * asked afterwards fails with `database-closed`; closing twice does nothing.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
