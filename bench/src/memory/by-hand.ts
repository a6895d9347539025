/**
 * What a good engineer writes who keeps conversations in one table, on the same drivers: statements prepared once, appends
 * in order and in one piece. It keeps no tenants, no odd keys and no versions, and does not wait for anything.
 */
import Libsql from 'libsql'
import pg from 'pg'
import type { Message } from 'toolwright'

export interface ByHand {
  append(conversation: string, messages: readonly Message[]): Promise<void>
  window(conversation: string, last: number): Promise<readonly Message[]>
  close(): Promise<void>
}

const TABLE = `create table by_hand (
  conversation text not null, seq bigint not null, content text not null, primary key (conversation, seq)
)`

export async function sqliteByHand(file: string): Promise<ByHand> {
  const database = new Libsql(file, { timeout: 10_000 })
  database.exec('pragma journal_mode = wal')
  database.exec(TABLE)
  const [begin, commit] = ['begin immediate', 'commit'].map((sql) => database.prepare(sql))
  const next = database.prepare(
    'select coalesce(max(seq) + 1, 0) as seq from by_hand where conversation = ?',
  )
  const insert = database.prepare(
    'insert into by_hand (conversation, seq, content) values (?, ?, ?)',
  )
  const newest = database.prepare(
    'select content from by_hand where conversation = ? order by seq desc limit ?',
  )
  return {
    async append(conversation, messages) {
      begin!.run([])
      const [{ seq }] = next.all([conversation]) as [{ seq: number }]
      messages.forEach((message, index) =>
        insert.run([conversation, seq + index, JSON.stringify(message)]),
      )
      commit!.run([])
    },
    async window(conversation, last) {
      return messagesOf(newest.all([conversation, last]) as { content: string }[])
    },
    async close() {
      database.close()
    },
  }
}

export async function postgresByHand(url: string): Promise<ByHand> {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await pool.query(TABLE)
  return {
    async append(conversation, messages) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query('select pg_advisory_xact_lock(hashtext($1))', [conversation])
        const { rows } = await client.query(
          'select coalesce(max(seq) + 1, 0) as seq from by_hand where conversation = $1',
          [conversation],
        )
        const first = Number(rows[0].seq)
        const values = messages.map((_, index) => `($1, $${index * 2 + 2}, $${index * 2 + 3})`)
        await client.query(
          `insert into by_hand (conversation, seq, content) values ${values.join(', ')}`,
          [
            conversation,
            ...messages.flatMap((message, index) => [first + index, JSON.stringify(message)]),
          ],
        )
        await client.query('commit')
      } finally {
        client.release()
      }
    },
    async window(conversation, last) {
      const { rows } = await pool.query<{ content: string }>(
        'select content from by_hand where conversation = $1 order by seq desc limit $2',
        [conversation, last],
      )
      return messagesOf(rows)
    },
    close: () => pool.end(),
  }
}

const messagesOf = (rows: readonly { readonly content: string }[]): readonly Message[] =>
  rows.map(({ content }) => JSON.parse(content) as Message).reverse()
