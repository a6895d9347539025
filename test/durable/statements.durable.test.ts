/**
 * kill -9 at every boundary of a run of 12 steps with calls side by side: before each statement, while it is under way,
 * when it is answered, and when the answer was given on. What lies between two statements nobody can see from outside.
 */
import { expect, it } from 'vitest'
import { NO_POSTGRES } from '../postgres/postgres-server.ts'
import { openPlace } from './durable-place.ts'
import { examine } from './examine.ts'
import { examineEvents } from './examine-events.ts'
import { figuresOf } from './figures-of.ts'
import { killAtEveryStatement } from './kill-in-turn.ts'

it('kill -9 at every statement', async ({ skip, task }) => {
  skip(...NO_POSTGRES)
  await using place = await openPlace()
  const { planned, killed, runs, findings } = await killAtEveryStatement(place, {
    client: 'steps',
    examine: async (run, events) => [
      ...(await examine(place.ledger, [run])),
      ...examineEvents(run, events),
    ],
  })
  expect(findings).toEqual([])
  task.meta.durable = { kills: killed, ...(await figuresOf(place.ledger, runs)) }
  // Now and then a run comes to its end in fewer statements.
  expect(killed).toBeGreaterThan(planned * 0.9)
})
