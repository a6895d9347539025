/**
 * A worker is stopped in the middle of its runs, for longer than it takes the others to give it up, and continued when
 * they have gone on without it. It thinks that nothing has happened, and must not do a step that is no longer its own.
 */
import { expect, it } from 'vitest'
import { NO_POSTGRES } from '../postgres/postgres-server.ts'
import { openPlace } from './durable-place.ts'
import { figuresOf } from './figures-of.ts'
import { RunDesk } from './run-desk.ts'
import { full } from './sizes.ts'

const STOPS = full(5, 5)
const STOPPED_MS = full(60_000, 3_000)

it('a worker stops and continues', async ({ skip, task }) => {
  skip(...NO_POSTGRES)
  await using place = await openPlace()
  const team = await place.team()
  const [stopping, other] = [await team.hire(), await team.hire()]
  let started = 0
  let stops = 0
  const running = new RunDesk(team, place.ledger).runMany({
    together: 10,
    next: () =>
      stops < STOPS
        ? { runId: `run-${started++}.`, client: 'steps', delayMs: 40, stream: started % 2 === 0 }
        : undefined,
  })
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  while (stops < STOPS) {
    await pause(300 + Math.random() * 500)
    stopping.kill('SIGSTOP')
    await pause(STOPPED_MS)
    stopping.kill('SIGCONT')
    await pause(500)
    stops += 1
  }
  const runs = await running
  expect([stopping.isAlive, other.isAlive]).toEqual([true, true])
  task.meta.durable = {
    stops,
    ...(await figuresOf(place.ledger, runs, { wereStopped: true })),
  }
})
