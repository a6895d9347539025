/**
 * `npm run bench -- memory`: what keeping conversations in a database costs, beside statements by hand on the same driver,
 * and whether a window of a long conversation costs more than one of a short one. Wall time per operation; the contenders
 * take turns in small batches, and the least counts, because interference only ever adds. Ends with exit code 1 when a
 * bar is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, sqlMemoryRepository } from '@toolwright/sql'
import { messageWindowMemory, type ChatMemoryRepository, type Message } from 'toolwright'
import { HAS_POSTGRES, NO_POSTGRES, startPostgres } from '../../../test/postgres/postgres-server.ts'
import { postgresByHand, sqliteByHand, type ByHand } from './by-hand.ts'

const LONG = 100_000
const SHORT = 100
const WINDOW = 20
const ROUNDS = 40
const BATCH = 25

/** Of the size messages have. */
const message = (index: number): Message => ({
  role: index % 2 ? 'assistant' : 'user',
  content: `Message number ${index}: ${'what was said, in some words. '.repeat(6)}`,
})
const TURN = [message(0), message(1)]

interface Place {
  readonly name: string
  readonly repository: ChatMemoryRepository
  readonly byHand: ByHand
}

type Contenders = { readonly [name: string]: (time: number) => Promise<unknown> }

export async function run(_args: string[]): Promise<void> {
  await onSqlite(measure)
  if (HAS_POSTGRES) await onPostgres(measure)
  else console.log(`PostgreSQL is not measured: ${NO_POSTGRES[1]}.`)
}

async function measure({ name, repository, byHand }: Place): Promise<void> {
  for (const [key, length] of [
    ['long', LONG],
    ['short', SHORT],
  ] as const)
    for (let start = 0; start < length; start += 1_000) {
      const batch = Array.from({ length: Math.min(1_000, length) }, (_, index) =>
        message(start + index),
      )
      await repository.append(key, batch)
      await byHand.append(key, batch)
    }
  const memory = messageWindowMemory({ repository, maxMessages: WINDOW })
  const expected = JSON.stringify((await byHand.window('long', WINDOW)).at(0))
  for (const found of [await repository.find('long', { last: WINDOW }), await memory.get('long')])
    if (found.length !== WINDOW || JSON.stringify(found[0]) !== expected)
      throw new Error('The contenders do not read the same.')

  const least = await inTurns({
    'window by hand, short': () => byHand.window('short', WINDOW),
    'window by hand, long': () => byHand.window('long', WINDOW),
    'find, short': () => repository.find('short', { last: WINDOW }),
    'find, long': () => repository.find('long', { last: WINDOW }),
    'memory, short': () => memory.get('short'),
    'memory, long': () => memory.get('long'),
    // Conversations of some length each, not one that grows without end.
    'append by hand': (time) => byHand.append(`c${time % 50}`, TURN),
    append: (time) => repository.append(`c${time % 50}`, TURN),
  })
  console.log(`\n${name}: microseconds per operation, the least of ${ROUNDS} batches of ${BATCH}`)
  console.table(
    Object.fromEntries(Object.entries(least).map(([what, us]) => [what, Math.round(us)])),
  )
  const bars = [
    ['find, long', 'find, short', 2],
    ['memory, long', 'memory, short', 2],
    ['find, long', 'window by hand, long', 1.5],
    ['append', 'append by hand', 1.5],
  ] as const
  console.table(bars.map(([what, beside, bar]) => verdict(least, { what, beside, bar })))
}

interface Bar {
  readonly what: string
  readonly beside: string
  readonly bar: number
}

function verdict(least: { readonly [name: string]: number }, { what, beside, bar }: Bar) {
  const ratio = least[what]! / least[beside]!
  if (ratio > bar) process.exitCode = 1
  return { what, beside, ratio: ratio.toFixed(2), bar, verdict: ratio <= bar ? 'ok' : 'OVER' }
}

/** The least time of each per operation, in microseconds. */
async function inTurns(contenders: Contenders): Promise<{ readonly [name: string]: number }> {
  const least: { [name: string]: number } = {}
  const batch = async (name: string): Promise<number> => {
    const started = performance.now()
    for (let time = 0; time < BATCH; time++) await contenders[name]!(time)
    return ((performance.now() - started) * 1_000) / BATCH
  }
  const names = Object.keys(contenders)
  // Warmed up first.
  for (const name of names) await batch(name)
  for (let round = 0; round < ROUNDS; round++)
    // Nobody always runs behind the same one.
    for (const name of [
      ...names.slice(round % names.length),
      ...names.slice(0, round % names.length),
    ])
      least[name] = Math.min(least[name] ?? Infinity, await batch(name))
  return least
}

async function onSqlite(use: (place: Place) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'))
  const database = await openDatabase(`file:${join(folder, 'a.db')}`)
  const byHand = await sqliteByHand(`file:${join(folder, 'b.db')}`)
  try {
    await use({ name: 'SQLite', repository: sqlMemoryRepository(database), byHand })
  } finally {
    await database.close()
    await byHand.close()
    rmSync(folder, { recursive: true })
  }
}

async function onPostgres(use: (place: Place) => Promise<void>): Promise<void> {
  await using server = await startPostgres()
  await using database = await openDatabase(server.url)
  const byHand = await postgresByHand(server.url)
  try {
    await use({ name: 'PostgreSQL', repository: sqlMemoryRepository(database), byHand })
  } finally {
    await byHand.close()
  }
}
