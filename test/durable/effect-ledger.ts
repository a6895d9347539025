/**
 * What really happened, told by the tools themselves to a database of its own: nothing of the runs is in there, so it can
 * be held against what the runs say. Each way of telling is one statement, so an effect has happened or it has not.
 */
import pg from 'pg'
import { query } from '../postgres/create-database.ts'

export interface LedgerCall {
  readonly run: string
  /** The number of the call within the run. */
  readonly call: number
}

/** A row for every effect that nobody held back. */
export interface OnceEffect extends LedgerCall {
  readonly id: number
}

/** One row for each key, and how often the key came. */
export interface KeyedEffect extends LedgerCall {
  readonly key: string
  readonly times: number
}

export interface EffectLedger {
  /** As a payment service does: the first with this key counts. */
  pay(call: LedgerCall, key: string): Promise<void>
  /** As sending a letter does: every time counts. Gives the number of the row. */
  send(call: LedgerCall): Promise<number>
  /** Only counts. */
  look(call: LedgerCall): Promise<void>
  sent(run: string): Promise<readonly OnceEffect[]>
  paid(run: string): Promise<readonly KeyedEffect[]>
  totals(): Promise<{ readonly sent: number; readonly paid: number; readonly looked: number }>
  close(): Promise<void>
}

const TABLES = `
  create table if not exists sent (id bigserial primary key, run text not null, call int not null);
  create table if not exists paid (key text primary key, run text not null, call int not null, times int not null);
  create table if not exists looked (run text not null, call int not null);
  create index if not exists sent_run on sent (run);
  create index if not exists paid_run on paid (run)`

export async function createLedger(url: string): Promise<void> {
  await query(url, TABLES)
}

export function openLedger(url: string): EffectLedger {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => {})
  return {
    async pay({ run, call }, key) {
      const insert = `insert into paid (key, run, call, times) values ($1, $2, $3, 1)
        on conflict (key) do update set times = paid.times + 1`
      await pool.query(insert, [key, run, call])
    },
    async send({ run, call }) {
      const insert = 'insert into sent (run, call) values ($1, $2) returning id'
      const { rows } = await pool.query<{ id: string }>(insert, [run, call])
      return Number(rows[0]!.id)
    },
    async look({ run, call }) {
      await pool.query('insert into looked (run, call) values ($1, $2)', [run, call])
    },
    async sent(run) {
      const { rows } = await pool.query<{ id: string; run: string; call: number }>(
        'select id, run, call from sent where run = $1 order by id',
        [run],
      )
      return rows.map((row) => ({ ...row, id: Number(row.id) }))
    },
    async paid(run) {
      const { rows } = await pool.query<KeyedEffect>('select * from paid where run = $1', [run])
      return rows
    },
    async totals() {
      const { rows } = await pool.query<{ sent: string; paid: string; looked: string }>(
        'select (select count(*) from sent) as sent, (select count(*) from paid) as paid, (select count(*) from looked) as looked',
      )
      const { sent, paid, looked } = rows[0]!
      return { sent: Number(sent), paid: Number(paid), looked: Number(looked) }
    },
    close: () => pool.end(),
  }
}
