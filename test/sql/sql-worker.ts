/**
 * One of the processes that work on one database at the same time. It is told what to do by its argument, waits for a
 * line on its input, and tells what is done line by line: a line that was written stays, whatever happens to the process.
 */
import { writeSync } from 'node:fs'
import { openDatabase, sqlMemoryRepository, sqlRunStore } from '@toolwright/sql'
import type { Message } from 'toolwright'

export type SqlTask = {
  readonly address: string
  /** Of this process. */
  readonly name: string
  readonly seed: number
} & (
  | { readonly act: 'append'; readonly appends: number; readonly conversations: number }
  | { readonly act: 'use'; readonly states: readonly string[] }
)

/** What one append stores: a question, a call of a tool, its result and the answer. */
export const turnOf = (name: string, turn: number): readonly Message[] => {
  const id = `${name}.${turn}`
  return [
    { role: 'user', content: id },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', id, name: 'look', arguments: `{"turn":${turn}}` }],
    },
    { role: 'tool', responses: [{ id, name: 'look', content: id }] },
    { role: 'assistant', content: id },
  ]
}

async function work(task: SqlTask): Promise<void> {
  const random = seeded(task.seed)
  await using database = await openDatabase(task.address, { waitMs: 120_000 })
  const repository = sqlMemoryRepository(database)
  const runs = sqlRunStore(database)
  // Opened and ready: what is measured and killed is the work itself.
  await repository.find('nobody')
  tell('ready')
  await new Promise((resolve) => process.stdin.once('data', resolve))
  process.stdin.destroy()
  if (task.act === 'append')
    for (let turn = 0; turn < task.appends; turn++) {
      const conversation = Math.floor(random() * task.conversations)
      await repository.append(`c${conversation}`, turnOf(task.name, turn))
      tell(`${conversation} ${turn}`)
    }
  else for (const state of shuffled(task.states, random)) if (await runs.use(state)) tell(state)
  tell('done')
}

const tell = (line: string): void => void writeSync(1, `${line}\n`)

/** The same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function shuffled<T>(values: readonly T[], random: () => number): readonly T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}

if (process.argv[2] === 'work') await work(JSON.parse(process.argv[3]!) as SqlTask)
