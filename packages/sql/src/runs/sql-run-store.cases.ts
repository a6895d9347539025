/** What the contract of run stores does not ask for: retention, rows that are damaged, and what is refused. */
import { expect, it } from 'vitest'
import type { PendingRun } from 'toolwright'
import { manualClock } from 'toolwright/testing'
import { sqlRunStore } from '@toolwright/sql'
import { failure } from '../testing/failure.ts'
import { freshPrefix, type Stage } from '../testing/stages.ts'

const run = (runId: string, savedAt = 0): PendingRun => ({
  runId,
  stateId: `state of ${runId}`,
  pending: [],
  savedAt,
  state: { version: 1 } as PendingRun['state'],
})
const ids = ({ runs }: { readonly runs: readonly PendingRun[] }) => runs.map(({ runId }) => runId)

export function runStoreCases(stage: () => Stage): void {
  it('forgets what waited too long, and removes it a few at a time', async () => {
    const prefix = freshPrefix()
    await using database = await stage().open()
    const clock = manualClock()
    const start = clock.now()
    const store = sqlRunStore(database, { prefix, retentionMs: 1_000, clock })
    for (let index = 0; index < 150; index++) await store.save(run(`old ${index}`, start))
    await store.save(run('kept', start + 500))
    await store.use('used')
    expect(await store.find('old 0')).toEqual(run('old 0', start))
    await clock.advance(1_001)
    expect(await store.find('old 0')).toBeUndefined()
    expect(ids(await store.list({}))).toEqual(['kept'])
    // One that keeps everything shows what is still there.
    const all = sqlRunStore(database, { prefix })
    const left = async (): Promise<number> => (await all.list({ limit: 1_000 })).runs.length
    expect(await left()).toBe(151)
    await store.save(run('new', clock.now()))
    expect(await left()).toBe(52)
    await store.save(run('newer', clock.now()))
    expect(ids(await all.list({}))).toEqual(['kept', 'new', 'newer'])
    // That a state was used is never forgotten.
    await clock.advance(1_000_000)
    await store.save(run('newest', clock.now()))
    expect(await store.use('used')).toBe(false)
  })

  it('a row that holds no run is named, and the others are found', async () => {
    const prefix = freshPrefix()
    await using database = await stage().open()
    const store = sqlRunStore(database, { prefix })
    await store.save(run('r1'))
    await store.save(run('r2', 1))
    const table = `${prefix}waiting_runs`
    for (const content of ['{', 'null', '{}']) {
      await stage().plain.updateTable(table).set({ content }).where('run_id', '=', 'r1').execute()
      for (const work of [() => store.find('r1'), () => store.list({})]) {
        const error = await failure(work)
        expect(error).toMatchObject({ code: 'database-corrupt' })
        expect(error.message).toContain('run "r1"')
      }
    }
    expect(await store.find('r2')).toEqual(run('r2', 1))
    // It can still be used, which takes it out of the list.
    expect(await store.use('state of r1')).toBe(true)
    expect(ids(await store.list({}))).toEqual(['r2'])
  })

  it('refuses what is no run and no id', async () => {
    await using database = await stage().open()
    const store = sqlRunStore(database, { prefix: freshPrefix() })
    for (const wrong of [
      undefined,
      {},
      { ...run('r'), savedAt: NaN },
      { ...run('r'), conversation: 5 },
      { ...run('r'), stateId: 5 },
    ])
      expect(await failure(() => store.save(wrong as never))).toMatchObject({
        code: 'invalid-option',
      })
    expect(await failure(() => store.save({ ...run('r'), pending: [5n] as never }))).toMatchObject({
      code: 'state-invalid',
    })
    for (const work of [
      () => store.use(5 as never),
      () => store.use('s', 5 as never),
      () => store.find(undefined as never),
      () => store.list({ tenant: 5 as never }),
    ])
      expect(await failure(work)).toMatchObject({ code: 'invalid-option' })
  })
}
