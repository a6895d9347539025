/** Mixed operations of many tenants whose conversations have the same names: nobody ever sees a value of another. */
import { expect } from 'vitest'
import type { ConversationKey, Message, PendingRun } from 'toolwright'
import { seededRandom } from 'toolwright/testing'
import { sqlMemoryRepository, sqlRunStore, type Database } from '@toolwright/sql'

export interface Tenants {
  readonly tenants: number
  readonly operations: number
  /** Operations at the same time. */
  readonly together: number
}

const CONVERSATIONS = ['inbox', 'a:b', 'Ünïcode \u0000 \ud800']

/** Gives how many values were read and looked at. */
export async function mixTenants(database: Database, sizes: Tenants): Promise<number> {
  const repository = sqlMemoryRepository(database, { searchable: true })
  const runs = sqlRunStore(database)
  const random = seededRandom(15)
  const below = (end: number): number => Math.floor(random.next() * end)
  let looked = 0

  const operation = (number: number): (() => Promise<void>) => {
    const tenant = `tenant-${below(sizes.tenants)}`
    const conversation = CONVERSATIONS[below(CONVERSATIONS.length)]!
    const canary = `canary of ${tenant};`
    const key: ConversationKey = { tenant, conversation }
    const message: Message = { role: 'user', content: `${canary} ${number}` }
    const look = (value: unknown): void => {
      const canaries = JSON.stringify(value).match(/canary of [^;]*;/g) ?? []
      looked += canaries.length
      for (const found of canaries) expect(found).toBe(canary)
    }
    const run = (): PendingRun => ({
      runId: `${canary} ${number}`,
      stateId: `${canary} ${number}`,
      conversation: key,
      pending: [],
      savedAt: number,
      state: { version: 1, context: { canary } } as unknown as PendingRun['state'],
    })
    const operations: readonly (readonly [weight: number, work: () => Promise<void>])[] = [
      [40, () => repository.append(key, [message, { role: 'assistant', content: canary }])],
      [30, async () => look(await repository.find(key, { last: 6 }))],
      [10, async () => look(await repository.tail!(key, { last: 4 }))],
      [4, async () => look(await repository.find(key))],
      [2, () => repository.replace(key, [message])],
      [2, () => repository.delete(key)],
      [3, () => runs.save(run())],
      [3, async () => look(await runs.list({ tenant, limit: 5 }))],
      [2, async () => look(await runs.list({ tenant, conversation, limit: 5 }))],
      [2, async () => look(await repository.search('canary', { tenant, limit: 5 }))],
      [2, async () => void (await runs.use(`${canary} ${below(number + 1)}`))],
    ]
    let drawn = below(operations.reduce((sum, [weight]) => sum + weight, 0))
    return operations.find(([weight]) => (drawn -= weight) < 0)![1]
  }

  let next = 0
  const worker = async (): Promise<void> => {
    while (next < sizes.operations) await operation(next++)()
  }
  await Promise.all(Array.from({ length: sizes.together }, worker))
  return looked
}
