import { openDatabase, sqlRunStore } from '@toolwright/sql'
import { ChatClient, tool, type PendingRun } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { expect, it } from 'vitest'
import { TENANT } from './conversation-book.ts'
import { WaitingRuns } from './waiting-runs.ts'

it('lists all runs that wait, however many there are, and the newest of a conversation', async () => {
  await using database = await openDatabase(':memory:')
  const store = sqlRunStore(database)
  const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
  const model = scriptedModel([{ toolCalls: [{ name: 'pay' }] }])
  const client = ChatClient.create(model, { tools: [pay], runStore: store })
  const { state } = await client.prompt('Pay').call().result()
  const run: PendingRun = {
    runId: state!.runId,
    stateId: state!.id,
    pending: state!.pending,
    state: state!,
    savedAt: 1,
  }
  for (let at = 1; at <= 401; at++) {
    const conversation = { tenant: TENANT, conversation: `c${at % 2}` }
    await store.save!({ ...run, runId: `r${at}`, stateId: `s${at}`, savedAt: at, conversation })
  }
  const waiting = new WaitingRuns(store)
  const all = await waiting.list()
  expect(all.map(({ savedAt }) => savedAt)).toEqual(Array.from({ length: 401 }, (_, at) => at + 1))
  expect(await waiting.of('c1')).toMatchObject({ id: 'c1', savedAt: 401 })
})
