/**
 * kill -9 at every boundary of a run of 12 steps with calls side by side: before each statement, while it is under way,
 * when it is answered, and when the answer was given on. What lies between two statements nobody can see from outside.
 */
import { expect, it } from 'vitest'
import { NO_POSTGRES } from '../postgres/postgres-server.ts'
import { openPlace, type DurablePlace } from './durable-place.ts'
import type { WatchedRun } from './durable-worker.ts'
import { examine, type Finding } from './examine.ts'
import { examineEvents } from './examine-events.ts'
import { figuresOf } from './figures-of.ts'
import { RunDesk, type EndedRun } from './run-desk.ts'
import { IS_FULL } from './sizes.ts'
import { KILL_POSITIONS, type StatementKill } from './statement-watch.ts'
import type { DurableWorker, WorkerTeam } from './worker-team.ts'

const LANES = 2

it('kill -9 at every statement', async ({ skip, task }) => {
  skip(...NO_POSTGRES)
  await using place = await openPlace()
  const statements = await statementsOfOneRun(place)
  const kills = pointsOf(statements.length)
  const lanes = await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      const own = kills.filter((_, index) => index % LANES === lane)
      return killInTurn(place, await place.team(), own)
    }),
  )
  const killed = lanes.reduce((sum, lane) => sum + lane.killed, 0)
  const runs = lanes.flatMap((lane) => lane.runs)
  expect(lanes.flatMap((lane) => lane.findings)).toEqual([])
  task.meta.durable = { kills: killed, ...(await figuresOf(place.ledger, runs)) }
  // Now and then a run comes to its end in fewer statements.
  expect(killed).toBeGreaterThan(kills.length * 0.9)
})

const runOf = (runId: string) => ({ runId, client: 'steps', delayMs: 0, stream: true }) as const

async function statementsOfOneRun(place: DurablePlace): Promise<readonly string[]> {
  const team = await place.team()
  const worker = await team.hire()
  await worker.ask('watch', { run: 'watched' })
  await worker.ask('start', runOf('watched'))
  await new RunDesk(team, place.ledger).finish('watched')
  const seen = await worker.ask('seen', undefined)
  await team.dismiss()
  if (process.env['TOOLWRIGHT_DURABLE_STATEMENTS']) console.log(seen.join('\n'))
  return seen
}

/** Every position at each statement; or one at each, another one each time. */
function pointsOf(statements: number): readonly StatementKill[] {
  return Array.from({ length: statements }, (_, statement) =>
    KILL_POSITIONS.filter((_, index) => IS_FULL || index === statement % KILL_POSITIONS.length).map(
      (position) => ({ statement, position }),
    ),
  ).flat()
}

const isWatching = (worker: DurableWorker, watched: WatchedRun): Promise<boolean> =>
  worker.ask('watch', watched).then(
    () => true,
    () => false,
  )

interface Killed {
  readonly killed: number
  readonly runs: readonly EndedRun[]
  /** About what their readers were told. */
  readonly findings: readonly Finding[]
}

/** One worker after the other: each finishes the run that its forerunner died of, then dies of its own. */
async function killInTurn(
  place: DurablePlace,
  team: WorkerTeam,
  kills: readonly StatementKill[],
): Promise<Killed> {
  const desk = new RunDesk(team, place.ledger)
  const runs: EndedRun[] = []
  const findings: Finding[] = []
  let killed = 0
  let isOver = false
  let current = team.hire()
  // Some die when their run has ended already, so every one that dies is replaced at once.
  const replace = (): void =>
    void current
      .then((worker) => worker.ended)
      .then(() => {
        if (isOver) return
        killed += 1
        current = team.hire()
        replace()
      })
  replace()
  for (const kill of kills) {
    const runId = `at-${kill.statement}-${kill.position}.`
    const run = runOf(runId)
    while (!(await isWatching(await current, { run: runId, kill })));
    const isStarted = await (await current).ask('start', run).then(
      () => true,
      () => false,
    )
    if (!isStarted) await desk.start(run)
    const finished = await desk.finish(runId)
    // Told at once: the others take minutes.
    const told = examineEvents(finished, await team.ask('events', runId))
    for (const finding of [...(await examine(place.ledger, [finished])), ...told])
      console.log(finding)
    findings.push(...told)
    runs.push(finished)
  }
  isOver = true
  return { killed, runs, findings }
}
