/** What a program holds of an open database. Memory repositories and run stores are made of it. */
export type DatabaseKind = 'sqlite' | 'postgres'

export interface Database {
  readonly kind: DatabaseKind
  /**
   * Waits for what is under way, then ends the connections. A Kysely of the application's stays open. Everything
   * asked afterwards fails with `database-closed`; closing twice does nothing. libsql holds a file of SQLite open until
   * its statements are garbage-collected or the program ends; the file is complete before.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
