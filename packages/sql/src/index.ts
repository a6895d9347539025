/** The door: conversations and waiting runs in SQLite or PostgreSQL. */

// Open
export { openDatabase } from './open-database.ts'
export type { OpenDatabaseOptions } from './open-database.ts'
export type { Database, DatabaseKind } from './database/database.ts'
export type { AnyConnection, AnyKysely, AnyResult, AnyStatement } from './database/any-kysely.ts'

// Keep conversations
export { sqlMemoryRepository } from './memory/sql-memory-repository.ts'
export type {
  ConversationPage,
  ConversationQuery,
  FoundMessage,
  ListedConversation,
  MessageRange,
  SearchableMemoryRepository,
  SearchOptions,
  SqlMemoryOptions,
  SqlMemoryRepository,
} from './memory/sql-memory-repository.ts'

// Keep what waits
export { sqlRunStore } from './runs/sql-run-store.ts'
export type { SqlRunStore, SqlRunStoreOptions } from './runs/sql-run-store.ts'
