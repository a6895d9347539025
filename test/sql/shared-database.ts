/**
 * What several processes do with one database, and what must be true of it afterwards. Small numbers are for every run
 * of the tests, large ones for the slow suites.
 */
import { expect } from 'vitest'
import type { ChatMemoryRepository, Message } from 'toolwright'
import type { PostgresServer } from '../postgres/postgres-server.ts'
import type { SqlProcesses } from './sql-processes.ts'
import { turnOf } from './sql-worker.ts'

export interface Shared {
  readonly address: string
  readonly processes: SqlProcesses
  readonly repository: ChatMemoryRepository
  readonly server?: PostgresServer
}

export interface Appending {
  readonly processes: number
  readonly appends: number
  readonly conversations: number
  /** How often the server is restarted meanwhile. */
  readonly restarts?: number
}

/** All there, in order, none doubled, none torn. */
export async function appendTogether(shared: Shared, sizes: Appending): Promise<void> {
  const { appends, conversations, restarts = 0 } = sizes
  const workers = await Promise.all(
    Array.from({ length: sizes.processes }, (_, index) => {
      const task = { act: 'append', appends, conversations, seed: index + 1 } as const
      return shared.processes.start({ ...task, address: shared.address, name: `p${index}` })
    }),
  )
  for (const worker of workers) worker.go()
  const ends = Promise.all(workers.map((worker) => worker.ended()))
  for (let restart = 0; restart < restarts; restart++) {
    await Promise.all(workers.map((worker) => worker.told()))
    await shared.server!.restart(restart % 2 ? 'crash' : 'fast')
  }
  const expected = new Map<string, string[]>()
  for (const [index, { lines, isDone }] of (await ends).entries()) {
    expect(isDone).toBe(true)
    for (const line of lines) {
      const [conversation, turn] = line.split(' ')
      const key = `c${conversation} p${index}`
      expected.set(key, [...(expected.get(key) ?? []), `p${index}.${turn}`])
    }
  }
  let total = 0
  for (const key of await shared.repository.conversations()) {
    const turns = turnsOf(await shared.repository.find(key))
    total += turns.length
    for (let index = 0; index < sizes.processes; index++) {
      const own = turns.filter((turn) => turn.startsWith(`p${index}.`))
      expect(own).toEqual(expected.get(`${String(key)} p${index}`) ?? [])
    }
  }
  expect(total).toBe(sizes.processes * appends)
}

/** The turns of a conversation by name. Fails if one is not whole. */
function turnsOf(messages: readonly Message[]): readonly string[] {
  const turns: string[] = []
  for (let start = 0; start < messages.length; start += 4) {
    const name = (messages[start] as { readonly content: string }).content
    const [process, turn] = String(name).split('.')
    expect(messages.slice(start, start + 4)).toEqual(turnOf(process!, Number(turn)))
    turns.push(name)
  }
  return turns
}

export interface Killing {
  readonly kills: number
  /** Processes at the same time. */
  readonly together: number
}

/** Every acknowledged append is there, at most one that nobody heard of, no torn turn. */
export async function killWhileAppending(shared: Shared, sizes: Killing): Promise<number> {
  const conversations = 3
  let acknowledged = 0
  for (let killed = 0; killed < sizes.kills; killed += sizes.together) {
    const names = Array.from({ length: sizes.together }, (_, index) => `k${killed + index}`)
    const ends = await Promise.all(
      names.map(async (name, index) => {
        const task = {
          act: 'append',
          appends: 1_000_000,
          conversations,
          seed: killed + index,
        } as const
        const worker = await shared.processes.start({ ...task, address: shared.address, name })
        worker.go()
        // After a different number of appends each time, and somewhere within one.
        for (let told = 0; told <= (killed + index) % 5; told++) await worker.told()
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 8))
        worker.kill()
        const { lines, isDone } = await worker.ended()
        expect(isDone).toBe(false)
        return { name, lines }
      }),
    )
    const found: (readonly string[])[] = []
    for (let index = 0; index < conversations; index++)
      found.push(turnsOf(await shared.repository.find(`c${index}`)))
    for (const { name, lines } of ends) {
      acknowledged += lines.length
      const own = found.flat().filter((turn) => turn.startsWith(`${name}.`))
      expect(new Set(own).size).toBe(own.length)
      expect(own.length - lines.length).toBeGreaterThanOrEqual(0)
      expect(own.length - lines.length).toBeLessThanOrEqual(1)
      for (const line of lines) {
        const [conversation, turn] = line.split(' ')
        expect(found[Number(conversation)]).toContain(`${name}.${turn}`)
      }
    }
  }
  return acknowledged
}

export interface Racing {
  readonly processes: number
  readonly states: number
  /** Calls of `use` in all. */
  readonly uses: number
}

/** Each state has one winner, whoever it is. */
export async function raceForStates(shared: Shared, sizes: Racing): Promise<void> {
  const states = Array.from({ length: sizes.states }, (_, index) => `state ${index}`)
  const each = sizes.uses / sizes.processes
  const workers = await Promise.all(
    Array.from({ length: sizes.processes }, (_, index) => {
      const asked = Array.from(
        { length: each },
        (_, call) => states[(index * each + call) % states.length]!,
      )
      const task = { act: 'use', states: asked, seed: index + 1, name: `u${index}` } as const
      return shared.processes.start({ ...task, address: shared.address })
    }),
  )
  for (const worker of workers) worker.go()
  const ends = await Promise.all(workers.map((worker) => worker.ended()))
  expect(ends.every(({ isDone }) => isDone)).toBe(true)
  expect(ends.flatMap(({ lines }) => lines).toSorted()).toEqual(states.toSorted())
}
