/** PostgreSQL loses its power again and again while runs go on. Nothing is lost, nothing is doubled. */
import { expect, it } from 'vitest'
import { NO_POSTGRES } from '../postgres/postgres-server.ts'
import { openPlace } from './durable-place.ts'
import { figuresOf } from './figures-of.ts'
import { RunDesk } from './run-desk.ts'
import { full } from './sizes.ts'

const RUNS = full(1_000, 120)
/** The least and the most time between two restarts. */
const PAUSE_MS = [full(5_000, 1_000), full(10_000, 2_000)] as const
const LEAST_RESTARTS = 4

it('PostgreSQL restarts all the time', async ({ skip, task }) => {
  skip(...NO_POSTGRES)
  await using place = await openPlace()
  const team = await place.team()
  for (let worker = 0; worker < 3; worker++) await team.hire()
  let started = 0
  let restarts = 0
  let isOver = false
  const running = new RunDesk(team, place.ledger)
    .runMany({
      together: 8,
      next: () =>
        started < RUNS || restarts < LEAST_RESTARTS
          ? { runId: `run-${started++}.`, client: 'steps', delayMs: 100, stream: started % 2 === 0 }
          : undefined,
    })
    .finally(() => (isOver = true))
  while (!isOver) {
    const [least, most] = PAUSE_MS
    const pause = new Promise((resolve) =>
      setTimeout(resolve, least + Math.random() * (most - least)),
    )
    await Promise.race([running, pause])
    if (isOver) break
    await place.server.restart('crash')
    restarts += 1
  }
  const runs = await running
  // No worker died of it.
  expect(team.workers).toHaveLength(3)
  task.meta.durable = { restarts, ...(await figuresOf(place.ledger, runs)) }
})
