/** Several workers decide the same runs at the same time. Each run has one decision, and one payment. */
import { expect, it } from 'vitest'
import { NO_POSTGRES } from '../postgres/postgres-server.ts'
import { openPlace } from './durable-place.ts'
import { full } from './sizes.ts'

const WORKERS = 4
const RUNS = full(500, 100)
/** Each worker decides each run so often. */
const TIMES = 5

it('decisions race', async ({ skip, task }) => {
  skip(...NO_POSTGRES)
  await using place = await openPlace()
  const team = await place.team()
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => team.hire()))
  const runIds = Array.from({ length: RUNS }, (_, index) => `parked-${index}.`)
  await Promise.all(
    runIds.map((runId) =>
      team.ask('start', { runId, client: 'approval', delayMs: 0, stream: false }),
    ),
  )
  for (const runId of runIds)
    expect(await team.ask('result', runId)).toMatchObject({ status: 'suspended' })
  const won = await Promise.all(
    workers.map((worker, index) =>
      worker.ask('race', {
        runIds: Array.from({ length: TIMES }, () => runIds).flat(),
        // Half of them say no.
        decisions: { c1: index % 2 === 0 ? 'approve' : { deny: `Worker ${index} says no.` } },
      }),
    ),
  )
  expect(won.flat().toSorted()).toEqual(runIds.toSorted())
  const approved = won.filter((_, index) => index % 2 === 0).flat()
  let paid = 0
  for (const runId of runIds) {
    expect(await team.ask('result', runId)).toMatchObject({ status: 'done', text: 'Paid.' })
    const payments = await place.ledger.paid(runId)
    expect(payments.map(({ times }) => times)).toEqual(approved.includes(runId) ? [1] : [])
    paid += payments.length
  }
  task.meta.durable = {
    runs: RUNS,
    decisions: RUNS * WORKERS * TIMES,
    taken: won.flat().length,
    'effects keyed': paid,
  }
})
