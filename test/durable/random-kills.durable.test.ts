/** Workers are killed at any moment, one after another, while runs go on. All of them end as if nothing had happened. */
import { it } from 'vitest'
import { NO_POSTGRES } from '../postgres/postgres-server.ts'
import { openPlace } from './durable-place.ts'
import { figuresOf } from './figures-of.ts'
import { RunDesk } from './run-desk.ts'
import { full } from './sizes.ts'

const WORKERS = 3
const KILLS = full(500, 20)

it('random kills of 3 workers', async ({ skip, task }) => {
  skip(...NO_POSTGRES)
  await using place = await openPlace()
  const team = await place.team()
  for (let worker = 0; worker < WORKERS; worker++) await team.hire()
  let killed = 0
  let started = 0
  let startedAtKill = 0
  const running = new RunDesk(team, place.ledger).runMany({
    together: 12,
    next: () =>
      killed < KILLS
        ? { runId: `run-${started++}.`, client: 'steps', delayMs: 30, stream: started % 2 === 0 }
        : undefined,
  })
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  const slot = async (): Promise<void> => {
    while (killed < KILLS) {
      await pause(200 + Math.random() * 1_500)
      // A run ends between two kills, however busy the machine: one that is begun again and again would be given up.
      while (started === startedAtKill && killed < KILLS) await pause(20)
      startedAtKill = started
      const worker = team.workers[Math.floor(Math.random() * team.workers.length)]
      if (!worker || killed >= KILLS) continue
      killed += 1
      await team.kill(worker)
      await team.hire()
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, slot))
  task.meta.durable = { kills: killed, ...(await figuresOf(place.ledger, await running)) }
})
