/**
 * What makes each version of the tables from the one before. A version that was published is never changed. Programs of
 * the version before may still run while a migration is made: it may add, and must not take away what they use.
 */
import type { Compilable, Kysely, Sql } from 'kysely'
import type { SqlDialect } from '../database/sql-dialect.ts'
import type { Tables } from './tables.ts'

export interface MigrationParts {
  readonly queries: Kysely<Tables>
  readonly dialect: SqlDialect
  readonly sql: Sql
  readonly prefix: string
}

/** The statements, in order. */
export type Migration = (parts: MigrationParts) => readonly Compilable[]

const version1: Migration = ({ queries: { schema }, dialect: { idType }, sql, prefix }) => {
  const table = <Name extends keyof Tables>(name: Name) => {
    const made = schema.createTable(name)
    return {
      plain: () => made,
      numbered: () =>
        made.addColumn('id', idType, (id) =>
          idType === 'integer' ? id.primaryKey().autoIncrement() : id.primaryKey(),
        ),
    }
  }
  const index = (on: keyof Tables, columns: readonly string[]) =>
    schema
      .createIndex(`${prefix}${on}_by_${columns[0]}`)
      .on(on)
      .columns([...columns])
  return [
    table('conversations')
      .numbered()
      .addColumn('key_hash', 'text', (column) => column.notNull().unique())
      .addColumn('tenant_hash', 'text')
      .addColumn('tenant', 'text')
      .addColumn('conversation', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull()),
    index('conversations', ['tenant_hash']),
    table('messages')
      .plain()
      .addColumn('conversation_id', 'bigint', (column) => column.notNull())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('search_text', 'text')
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .addColumn('append_id', 'text')
      .addPrimaryKeyConstraint(`${prefix}messages_pk`, ['conversation_id', 'seq']),
    schema
      .createIndex(`${prefix}messages_of_system`)
      .on('messages')
      .columns(['conversation_id', 'seq'])
      .where(sql.ref('role'), '=', sql.lit('system')),
    table('used_states')
      .plain()
      .addColumn('state_hash', 'text', (column) => column.primaryKey())
      .addColumn('state_id', 'text', (column) => column.notNull())
      .addColumn('used_by', 'text')
      .addColumn('use_id', 'text', (column) => column.notNull())
      .addColumn('used_at', 'bigint', (column) => column.notNull()),
    table('waiting_runs')
      .numbered()
      .addColumn('run_hash', 'text', (column) => column.notNull().unique())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('state_hash', 'text', (column) => column.notNull())
      .addColumn('key_hash', 'text')
      .addColumn('tenant_hash', 'text')
      .addColumn('saved_at', 'bigint', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull()),
    index('waiting_runs', ['saved_at', 'id']),
    index('waiting_runs', ['key_hash', 'saved_at', 'id']),
    index('waiting_runs', ['tenant_hash', 'saved_at', 'id']),
    index('waiting_runs', ['state_hash']),
  ]
}

export const MIGRATIONS: readonly Migration[] = [version1]
