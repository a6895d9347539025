/** The outside world of the demonstration: refunds and letters, in a database that knows nothing of runs. */
import pg from 'pg'
import { createDatabase, query } from '../../test/postgres/create-database.ts'

export interface Letter {
  readonly order: number
  readonly worker: string
}

export interface Office {
  /** As a bank does: the same key refunds once. */
  refund(order: number, key: string): Promise<void>
  /** As the post does: every letter goes out. */
  sendLetter(letter: Letter): Promise<void>
  /** How many letters have gone out about an order. */
  letters(order: number): Promise<number>
  totals(): Promise<{ readonly refunds: number; readonly letters: number; readonly orders: number }>
  close(): Promise<void>
}

export async function openOffice(url: string): Promise<Office> {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  // The server may end before an idle connection does.
  pool.on('error', () => {})
  return {
    async refund(order, key) {
      const insert = 'insert into refunds (key, "order") values ($1, $2) on conflict do nothing'
      await pool.query(insert, [key, order])
    },
    async sendLetter({ order, worker }) {
      await pool.query('insert into letters ("order", worker) values ($1, $2)', [order, worker])
    },
    async letters(order) {
      const count = 'select count(*)::int as count from letters where "order" = $1'
      return (await pool.query<{ count: number }>(count, [order])).rows[0]!.count
    },
    async totals() {
      const { rows } = await pool.query<{ refunds: number; letters: number; orders: number }>(
        `select (select count(*)::int from refunds) as refunds, (select count(*)::int from letters) as letters,
           (select count(distinct "order")::int from letters) as orders`,
      )
      return rows[0]!
    },
    close: () => pool.end(),
  }
}

/** Makes the office's database beside that of `url`, and gives its address. */
export async function buildOffice(url: string): Promise<string> {
  const office = await createDatabase(url, 'office')
  await query(
    office,
    `create table refunds (key text primary key, "order" int not null);
     create table letters ("order" int not null, worker text not null)`,
  )
  return office
}
