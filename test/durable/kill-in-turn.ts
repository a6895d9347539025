/** Kills a worker at one statement of a run after another, and examines what became of each run. */
import type { ChatEvent } from 'toolwright'
import type { DurablePlace } from './durable-place.ts'
import type { WatchedRun } from './durable-worker.ts'
import type { Finding } from './examine.ts'
import { RunDesk, type EndedRun } from './run-desk.ts'
import { IS_FULL } from './sizes.ts'
import { KILL_POSITIONS, type StatementKill } from './statement-watch.ts'
import type { ClientName } from './twelve-steps.ts'
import type { DurableWorker, WorkerTeam } from './worker-team.ts'

const LANES = 2

export interface KilledRuns {
  readonly client: ClientName
  /** Where not everything is tried: at each how-manieth statement. Default 1. */
  readonly every?: number
  /** Told at once, because the other runs take minutes. */
  readonly examine: (run: EndedRun, events: readonly ChatEvent[]) => Promise<readonly Finding[]>
}

export interface Killed {
  /** How many kills there were to be. */
  readonly planned: number
  readonly killed: number
  readonly runs: readonly EndedRun[]
  readonly findings: readonly Finding[]
}

/** Every statement of a run, at every position; or one position at each, another one each time. */
export async function killAtEveryStatement(
  place: DurablePlace,
  killing: KilledRuns,
): Promise<Killed> {
  const statements = await statementsOfOneRun(place, killing.client)
  const kills = pointsOf(statements.length, killing.every ?? 1)
  const lanes = await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      const own = kills.filter((_, index) => index % LANES === lane)
      return killInTurn(place, { ...killing, team: await place.team(), kills: own })
    }),
  )
  return {
    planned: kills.length,
    killed: lanes.reduce((sum, lane) => sum + lane.killed, 0),
    runs: lanes.flatMap((lane) => lane.runs),
    findings: lanes.flatMap((lane) => lane.findings),
  }
}

const runOf = (runId: string, client: ClientName) =>
  ({ runId, client, delayMs: 0, stream: true }) as const

async function statementsOfOneRun(
  place: DurablePlace,
  client: ClientName,
): Promise<readonly string[]> {
  const team = await place.team()
  const worker = await team.hire()
  await worker.ask('watch', { run: 'watched' })
  await worker.ask('start', runOf('watched', client))
  await new RunDesk(team, place.ledger).finish('watched')
  const seen = await worker.ask('seen', undefined)
  await team.dismiss()
  if (process.env['TOOLWRIGHT_DURABLE_STATEMENTS']) console.log(seen.join('\n'))
  return seen
}

function pointsOf(statements: number, every: number): readonly StatementKill[] {
  return Array.from({ length: statements }, (_, statement) =>
    KILL_POSITIONS.filter((_, index) => IS_FULL || index === statement % KILL_POSITIONS.length).map(
      (position) => ({ statement, position }),
    ),
  )
    .filter((_, statement) => IS_FULL || statement % every === 0)
    .flat()
}

const isWatching = (worker: DurableWorker, watched: WatchedRun): Promise<boolean> =>
  worker.ask('watch', watched).then(
    () => true,
    () => false,
  )

interface OneAfterAnother extends KilledRuns {
  readonly team: WorkerTeam
  readonly kills: readonly StatementKill[]
}

/** One worker after the other: each finishes the run that its forerunner died of, then dies of its own. */
async function killInTurn(
  place: DurablePlace,
  { client, examine, team, kills }: OneAfterAnother,
): Promise<Omit<Killed, 'planned'>> {
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
    const run = runOf(runId, client)
    while (!(await isWatching(await current, { run: runId, kill })));
    const isStarted = await (await current).ask('start', run).then(
      () => true,
      () => false,
    )
    if (!isStarted) await desk.start(run)
    const finished = await desk.finish(runId)
    const found = await examine(finished, await team.ask('events', runId))
    for (const finding of found) console.log(finding)
    findings.push(...found)
    runs.push(finished)
  }
  isOver = true
  return { killed, runs, findings }
}
