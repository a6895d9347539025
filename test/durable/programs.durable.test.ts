/**
 * kill -9 at every boundary of a run whose model wrote a program of 13 calls: before each statement, while it is under
 * way, when it is answered, and when the answer was given on.
 */
import { expect, it } from 'vitest'
import { NO_POSTGRES } from '../postgres/postgres-server.ts'
import { openPlace } from './durable-place.ts'
import { examineProgram } from './examine-program.ts'
import { killAtEveryStatement } from './kill-in-turn.ts'

it('kill -9 at every statement of a program', async ({ skip, task }) => {
  skip(...NO_POSTGRES)
  await using place = await openPlace()
  const { planned, killed, runs, findings } = await killAtEveryStatement(place, {
    client: 'program',
    // Every position comes in turn: there are four.
    every: 3,
    examine: (run, events) => examineProgram(place.ledger, run, events),
  })
  expect(findings).toEqual([])
  const { sent, paid } = await place.ledger.totals()
  const unknown = runs.flatMap(({ decided }) => decided).length
  task.meta.durable = { kills: killed, runs: runs.length, 'effects once': sent, 'effects keyed': paid, unknown } // prettier-ignore
  // A program that is told in another order makes fewer steps now and then.
  expect(killed).toBeGreaterThan(planned * 0.8)
})
