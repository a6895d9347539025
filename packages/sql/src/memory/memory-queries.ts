/** The statements of the memory repository, each built once. */
import type { CompiledQuery } from 'kysely'
import { prepared } from '../database/prepared.ts'
import type { Toolkit } from '../database/toolkit.ts'
import type { PageEnd } from '../schema/page-cursor.ts'
import type { ConversationTable } from '../schema/tables.ts'
import type { StoredMessage } from './stored-message.ts'

/** One row of `messages`, as it is read. */
export interface ReadMessage {
  readonly seq: number | string
  readonly content: string
}

type TailKind = 'newest' | 'system' | 'count'

/** Rows of one statement. PostgreSQL takes 65,535 values in one, SQLite 32,766. */
const MOST_ROWS = 256

export interface AddedMessages {
  readonly id: number | string
  /** Nothing for what may be written again without harm. */
  readonly append_id: string | null
  readonly now: number
  readonly messages: readonly StoredMessage[]
}

/** Only where commits can be lost. */
export interface AddedRow {
  readonly seq: number | string
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

export interface ListedRows {
  /** Null: those without a tenant. */
  readonly tenant_hash?: string | null
  /** Rows behind this one. */
  readonly after?: PageEnd | undefined
  readonly limit: number
}

/** A conversation with its newest message. */
export interface ListedRow {
  readonly id: number | string
  readonly tenant: string | null
  readonly conversation: string
  readonly seq: number | string
  readonly added_at: number | string
}

export type MemoryQueries = ReturnType<typeof memoryQueries>

export function memoryQueries(toolkit: Toolkit, prefix: string) {
  const { sql, dialect } = toolkit
  const queries = toolkit.queries(prefix)

  const idOf = (hash: string) =>
    queries.selectFrom('conversations').select('id').where('key_hash', '=', hash)
  const ofConversation = (hash: string) =>
    queries.selectFrom('messages').where('conversation_id', '=', idOf(hash))
  const messagesOf = (hash: string) => ofConversation(hash).select(['seq', 'content'])

  /** Conversations that have messages, each with its newest: one step into an index, however many there are. */
  const withNewest = ({ tenant_hash }: Pick<ListedRows, 'tenant_hash'>) => {
    const query = queries
      .selectFrom('conversations')
      .innerJoin('messages', (join) =>
        join
          .onRef('messages.conversation_id', '=', 'conversations.id')
          .on(
            'messages.seq',
            '=',
            sql<number>`(select max(seq) from ${sql.table('messages')} as newest where newest.conversation_id = ${sql.ref('conversations.id')})`,
          ),
      )
    if (tenant_hash === undefined) return query
    return query.where('tenant_hash', tenant_hash === null ? 'is' : '=', tenant_hash)
  }

  /** The next numbers, and as many rows with what is given. */
  const addRows = (count: number) =>
    prepared<{ readonly [name: string]: never }>()((given) => {
      const rows = Array.from(
        { length: count },
        (_, row) =>
          sql`(${sql.lit(row)}, ${given(`role ${row}`)}, ${given(`content ${row}`)}, ${given(`search_text ${row}`)})`,
      )
      const appendId = sql`case given.column1 when 0 then cast(${given('append_id')} as text) end`
      // Both databases call the columns of values column1, column2 …
      const insert = queries
        .insertInto('messages')
        .columns([
          'conversation_id',
          'seq',
          'role',
          'content',
          'search_text',
          'added_at',
          'append_id',
        ])
        .expression(
          sql`select cast(${given('id')} as bigint), last.seq + given.column1, given.column2, given.column3, given.column4, cast(${given('now')} as bigint), ${dialect.canLoseCommits ? appendId : sql.lit(null)}
            from (select coalesce(max(seq) + 1, 0) as seq from ${sql.table('messages')} where conversation_id = cast(${given('id')} as bigint)) as last
            cross join (values ${sql.join(rows)}) as given`,
        )
      return dialect.canLoseCommits ? insert.returning('seq') : insert
    })
  const additions = new Map<number, ReturnType<typeof addRows>>()

  return {
    /** The conversation, which no other transaction can add to or delete before the transaction ends. */
    lock: prepared<{ hash: string }>()((given) =>
      idOf(given('hash')).select('revision').modifyEnd(sql.raw(dialect.lockRows)),
    ),

    /** Gives nothing when another program made it a moment ago. */
    create: prepared<Omit<ConversationTable, 'id' | 'revision'>>()((given) =>
      queries
        .insertInto('conversations')
        .values({
          key_hash: given('key_hash'),
          tenant_hash: given('tenant_hash'),
          tenant: given('tenant'),
          conversation: given('conversation'),
          revision: 0,
        })
        .onConflict((conflict) => conflict.column('key_hash').doNothing())
        .returning(['id', 'revision']),
    ),

    /** In batches whose sizes are powers of two: few different statements for any number of messages. */
    add({ messages, ...common }: AddedMessages): readonly CompiledQuery<AddedRow>[] {
      const statements: CompiledQuery<AddedRow>[] = []
      for (let start = 0; start < messages.length;) {
        const count = Math.min(MOST_ROWS, 2 ** Math.floor(Math.log2(messages.length - start)))
        const add = additions.get(count) ?? addRows(count)
        additions.set(count, add)
        const values: { [name: string]: unknown } = { ...common }
        for (let row = 0; row < count; row++) {
          const { role, content, search_text } = messages[start + row]!
          values[`role ${row}`] = role
          values[`content ${row}`] = content
          values[`search_text ${row}`] = search_text
        }
        statements.push(add(values as never) as CompiledQuery<AddedRow>)
        start += count
      }
      return statements
    },

    /** Whose append began with this row. */
    appendIdOf: prepared<{ id: number | string; seq: number }>()((given) =>
      queries
        .selectFrom('messages')
        .select('append_id')
        .where('conversation_id', '=', given('id'))
        .where('seq', '=', given('seq')),
    ),

    all: prepared<{ hash: string }>()((given) => messagesOf(given('hash')).orderBy('seq')),

    /** Messages have the numbers from 0 on, without a gap. */
    range: prepared<{ hash: string; from: number; end: number }>()((given) =>
      messagesOf(given('hash'))
        .where('seq', '>=', given('from'))
        .where('seq', '<', given('end'))
        .orderBy('seq'),
    ),

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
          ofConversation(given('hash')).select([
            sql<number>`coalesce(max(seq) + 1, 0)`.as('seq'),
            sql.lit('').as('content'),
            sql.lit<TailKind>('count').as('kind'),
          ]),
        ),
    ),

    keys: prepared<object>()(() =>
      queries.selectFrom('conversations').select(['tenant', 'conversation']).orderBy('id'),
    ),

    /** Those that changed last come first. */
    list({ after, limit, ...narrowed }: ListedRows): CompiledQuery<ListedRow> {
      let query = withNewest(narrowed)
        .select(['conversations.id', 'tenant', 'conversation', 'seq', 'added_at'])
        .orderBy('added_at', 'desc')
        .orderBy('conversations.id', 'desc')
        .limit(limit)
      if (after)
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('added_at', 'conversations.id'), '<', tuple(after.at, after.id)),
        )
      return query.compile()
    },

    count(narrowed: Pick<ListedRows, 'tenant_hash'>): CompiledQuery<{ count: number | string }> {
      return withNewest(narrowed)
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .compile()
    },

    revise: prepared<{ id: number | string }>()((given) =>
      queries
        .updateTable('conversations')
        .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
        .where('id', '=', given('id')),
    ),

    removeMessages: prepared<{ id: number | string }>()((given) =>
      queries.deleteFrom('messages').where('conversation_id', '=', given('id')),
    ),

    removeConversation: prepared<{ hash: string }>()((given) =>
      queries.deleteFrom('conversations').where('key_hash', '=', given('hash')).returning('id'),
    ),

    /** Every pattern is in the text; the newest first. */
    search({ patterns, ...narrowed }: SearchedRows): CompiledQuery<FoundRow> {
      let query = queries
        .selectFrom('messages')
        .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
        .select(['tenant', 'conversation', 'seq', 'content'])
        .orderBy('added_at', 'desc')
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
