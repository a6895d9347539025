/** The statements of the memory repository, each built once. */
import type { CompiledQuery, Expression, RawBuilder } from 'kysely'
import { prepared, type Given } from '../database/prepared.ts'
import type { Toolkit } from '../database/toolkit.ts'
import type { StoredMessage } from './stored-message.ts'

/** One row of `messages`, as it is read. */
export interface ReadMessage {
  readonly seq: number | string
  readonly content: string
}

type TailKind = 'newest' | 'system' | 'count'

/** Rows of one statement. PostgreSQL takes 65,535 values in one, SQLite 32,766. */
const MOST_ROWS = 256

export type MemoryQueries = ReturnType<typeof memoryQueries>

export function memoryQueries({ queries: forPrefix, sql, transactionId }: Toolkit, prefix: string) {
  const queries = forPrefix(prefix)
  const idOf = (hash: string) =>
    queries.selectFrom('conversations').select('id').where('key_hash', '=', hash)
  const messagesOf = (hash: string) =>
    queries
      .selectFrom('messages')
      .select(['seq', 'content'])
      .where('conversation_id', '=', idOf(hash))

  interface Reserved {
    readonly key_hash: string
    readonly tenant_hash: string | null
    readonly tenant: string | null
    readonly conversation: string
    readonly count: number
    readonly now: number
  }

  const reserved = (
    given: Given<Reserved>,
    next: (current: Expression<number>) => RawBuilder<number>,
  ) =>
    queries
      .insertInto('conversations')
      .values({
        key_hash: given('key_hash'),
        tenant_hash: given('tenant_hash'),
        tenant: given('tenant'),
        conversation: given('conversation'),
        next_seq: given('count'),
        updated_at: given('now'),
      })
      .onConflict((conflict) =>
        conflict.column('key_hash').doUpdateSet(({ ref }) => ({
          next_seq: next(ref('conversations.next_seq')),
          updated_at: given('now'),
        })),
      )
      .returning(['id', 'next_seq', transactionId.as('txid')])

  const insertOfRows = (rows: number) =>
    prepared<{ readonly [name: string]: never }>()((given) =>
      queries.insertInto('messages').values(
        Array.from({ length: rows }, (_, row) => ({
          conversation_id: given(`conversation_id ${row}`),
          seq: given(`seq ${row}`),
          role: given(`role ${row}`),
          content: given(`content ${row}`),
          search_text: given(`search_text ${row}`),
        })),
      ),
    )
  const inserts = new Map<number, ReturnType<typeof insertOfRows>>()

  return {
    /** Makes the conversation if it is not there, locks it, and takes the next numbers for its messages. */
    reserve: prepared<Reserved>()((given) =>
      reserved(given, (next) => sql`${next} + ${given('count')}`),
    ),

    /** The same, with numbers from 0 again. */
    restart: prepared<Reserved>()((given) => reserved(given, () => sql`${given('count')}`)),

    /** Rows in batches whose sizes are powers of two: few different statements for any number of rows. */
    insert(rows: readonly InsertedMessage[]): readonly CompiledQuery[] {
      const statements: CompiledQuery[] = []
      for (let start = 0; start < rows.length;) {
        const size = Math.min(MOST_ROWS, 2 ** Math.floor(Math.log2(rows.length - start)))
        const batch = rows.slice(start, start + size)
        const insert = inserts.get(size) ?? insertOfRows(size)
        inserts.set(size, insert)
        statements.push(insert(valuesOf(batch)))
        start += size
      }
      return statements
    },

    all: prepared<{ hash: string }>()((given) => messagesOf(given('hash')).orderBy('seq')),

    /** The newest first. */
    last: prepared<{ hash: string; last: number }>()((given) =>
      messagesOf(given('hash')).orderBy('seq', 'desc').limit(given('last')),
    ),

    /** One statement, so that all is of one moment: the newest messages, all of the system, and how many there are. */
    tail: prepared<{ hash: string; last: number }>()((given) =>
      queries
        .selectFrom(
          messagesOf(given('hash')).orderBy('seq', 'desc').limit(given('last')).as('newest'),
        )
        .select(['seq', 'content', sql.lit<TailKind>('newest').as('kind')])
        .unionAll(
          messagesOf(given('hash'))
            .where('role', '=', sql.lit('system'))
            .select(sql.lit<TailKind>('system').as('kind')),
        )
        .unionAll(
          queries
            .selectFrom('conversations')
            .where('key_hash', '=', given('hash'))
            .select([
              'next_seq as seq',
              sql.lit('').as('content'),
              sql.lit<TailKind>('count').as('kind'),
            ]),
        ),
    ),

    keys: prepared<object>()(() =>
      queries.selectFrom('conversations').select(['tenant', 'conversation']).orderBy('id'),
    ),

    removeMessages: prepared<{ id: number | string }>()((given) =>
      queries.deleteFrom('messages').where('conversation_id', '=', given('id')),
    ),

    removeConversation: prepared<{ hash: string }>()((given) =>
      queries
        .deleteFrom('conversations')
        .where('key_hash', '=', given('hash'))
        .returning(['id', transactionId.as('txid')]),
    ),

    /** Every pattern is in the text; the newest first. */
    search({ patterns, ...narrowed }: SearchedRows): CompiledQuery<FoundRow> {
      let query = queries
        .selectFrom('messages')
        .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
        .select(['tenant', 'conversation', 'seq', 'content'])
        .orderBy('conversations.updated_at', 'desc')
        .orderBy('conversations.id', 'desc')
        .orderBy('seq', 'desc')
        .limit(narrowed.limit)
      if (narrowed.key_hash !== undefined) query = query.where('key_hash', '=', narrowed.key_hash)
      if (narrowed.tenant_hash !== undefined)
        query = query.where('tenant_hash', '=', narrowed.tenant_hash)
      for (const pattern of patterns)
        query = query.where(
          ({ ref }) => sql<boolean>`${ref('search_text')} like ${pattern} escape '!'`,
        )
      return query.compile()
    },
  }
}

export interface InsertedMessage extends StoredMessage {
  readonly conversation_id: number | string
  readonly seq: number
}

export interface SearchedRows {
  readonly patterns: readonly string[]
  readonly key_hash?: string
  readonly tenant_hash?: string
  readonly limit: number
}

export interface FoundRow extends ReadMessage {
  readonly tenant: string | null
  readonly conversation: string
}

const valuesOf = (rows: readonly InsertedMessage[]): { readonly [name: string]: never } =>
  Object.fromEntries(
    rows.flatMap((row, index) =>
      Object.entries(row).map(([name, value]) => [`${name} ${index}`, value]),
    ),
  ) as { readonly [name: string]: never }
