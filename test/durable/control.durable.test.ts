/** The examination finds what it looks for: runs that are wrong on purpose, and ledgers that were told wrong. */
import { expect, it } from 'vitest'
import { NO_POSTGRES } from '../postgres/postgres-server.ts'
import { openPlace } from './durable-place.ts'
import { examine } from './examine.ts'
import { RunDesk } from './run-desk.ts'

it('a tool that only says it may be repeated is found out', async ({ skip, task }) => {
  skip(...NO_POSTGRES)
  await using place = await openPlace()
  const team = await place.team()
  const desk = new RunDesk(team, place.ledger)
  const wrong = { client: 'wrong', delayMs: 0, stream: false } as const

  // As long as nobody dies, nothing is wrong.
  const first = await team.hire()
  await desk.start({ ...wrong, runId: 'honest.' })
  expect(await examine(place.ledger, [await desk.finish('honest.')])).toEqual([])

  // The letter was sent, and nobody heard of it: the next worker sends it again.
  const kill = { statement: 'insert into sent', position: 'answered' } as const
  await first.ask('watch', { run: 'twice.', kill })
  await desk.start({ ...wrong, runId: 'twice.' })
  await first.ended
  await team.hire()
  const findings = await examine(place.ledger, [await desk.finish('twice.')])
  expect(findings).toMatchObject([{ runId: 'twice.', callId: 'c3', problem: 'doubled' }])
  task.meta.durable = { kills: 1, runs: 2, 'found out': findings.length }
})

it('a ledger that was told too much, or too little, is found out', async ({ skip }) => {
  skip(...NO_POSTGRES)
  await using place = await openPlace()
  const team = await place.team()
  await team.hire()
  const desk = new RunDesk(team, place.ledger)
  await desk.start({ runId: 'told.', client: 'steps', delayMs: 0, stream: false })
  const told = await desk.finish('told.')
  expect(await examine(place.ledger, [told])).toEqual([])

  await place.ledger.send({ run: 'told.', call: 5 })
  await place.ledger.pay({ run: 'told.', call: 2 }, 'another key')
  const problems = (await examine(place.ledger, [told])).map(({ callId, problem }) => [
    callId,
    problem,
  ])
  expect(problems).toEqual([
    ['c2', 'doubled'],
    ['c5', 'doubled'],
  ])
  const untold = await examine(place.ledger, [{ ...told, runId: 'untold.' }])
  expect(new Set(untold.map(({ problem }) => problem))).toEqual(
    new Set(['not-done', 'lost', 'swapped']),
  )
})
