/**
 * `npm run durable:demo`: runs that survive the machine. Starts PostgreSQL on loopback and two workers, hands in runs,
 * kills one worker with -9 in the middle, and shows that every run finishes on the other one; decides what nobody but a
 * person can know, and an approval that waited through the kill. Ends with what the world outside has seen.
 */
import { HAS_POSTGRES, NO_POSTGRES, startPostgres } from '../test/postgres/postgres-server.ts'
import { startAsked, type AskedProcess } from '../test/processes/asked-process.ts'
import { bundleProgram } from '../test/processes/bundle-program.ts'
import type { DemoAnswers, DemoTask } from './durable-demo/demo-worker.ts'
import { buildOffice, openOffice, type Office } from './durable-demo/office.ts'
import { progressOn } from './durable-demo/progress.ts'

const RUNS = 20
/** One worker is killed when so many runs have ended. */
const KILL_AFTER = 5
const LOOK_EVERY_MS = 100

type Worker = AskedProcess<DemoAnswers>
type Listed = Awaited<ReturnType<DemoAnswers['list']>>

const progress = progressOn(process.stdout)
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function demonstrate(): Promise<boolean> {
  progress.say('A rule answers here, not a language model. It needs no key.')
  await using server = await startPostgres()
  const officeUrl = await buildOffice(server.url)
  const office = await openOffice(officeUrl)
  using program = await bundleProgram(new URL('durable-demo/demo-worker.ts', import.meta.url))
  const hire = (name: string): Promise<Worker> =>
    startAsked<DemoAnswers>(program.file, {
      url: server.url,
      office: officeUrl,
      name,
    } satisfies DemoTask)
  const [anna, bert] = await Promise.all([hire('anna'), hire('bert')])
  progress.say(`PostgreSQL runs, and two workers: anna (${anna.pid}) and bert (${bert.pid}).`)
  for (let order = 1; order <= RUNS; order++) await bert.ask('start', order)
  progress.say(`${RUNS} runs are handed in: look an order up, refund it, send a letter.`)

  await until(bert, (runs) => ended(runs) >= KILL_AFTER && waiting(runs) > 0)
  anna.kill('SIGKILL')
  await anna.ended
  const left = RUNS - ended(await bert.ask('list', undefined))
  progress.say(`kill -9 ${anna.pid}: anna is gone. ${left} runs have not ended; bert goes on.`)

  const decided = await finish(bert, office)
  await bert.ask('close', undefined)
  bert.kill('SIGTERM')
  await bert.ended
  return await summarise(office, decided)
}

const ended = (runs: Listed): number => runs.filter(({ status }) => status === 'done').length

const waiting = (runs: Listed): number => runs.filter(({ status }) => status === 'suspended').length

/** Looks again and again, and shows what it sees. */
async function until(worker: Worker, isSo: (runs: Listed) => boolean): Promise<Listed> {
  for (;;) {
    const runs = await worker.ask('list', undefined)
    const [done, asking] = [ended(runs), waiting(runs)]
    const going = RUNS - done - asking
    const bar = '#'.repeat(done) + '?'.repeat(asking) + '.'.repeat(going)
    progress.show(`[${bar}] ${done} done, ${asking} waiting, ${going} running`)
    const failed = runs.find(({ status }) => !['running', 'suspended', 'done'].includes(status))
    if (failed) throw new Error(`${failed.runId} is ${failed.status}.`)
    if (isSo(runs)) return runs
    await pause(LOOK_EVERY_MS)
  }
}

interface Decided {
  readonly unknown: number
  readonly approved: number
}

/** Decides what waits when nothing else is left to do. */
async function finish(worker: Worker, office: Office): Promise<Decided> {
  let [unknown, approved] = [0, 0]
  for (;;) {
    const runs = await until(worker, (all) => all.every(({ status }) => status !== 'running'))
    const asking = runs.filter(({ status }) => status === 'suspended')
    if (asking.length === 0) return { unknown, approved }
    for (const { runId, pending } of asking) {
      const order = Number(runId.replace('order-', ''))
      const decisions: { [callId: string]: 'approve' | 'retry' | { readonly result: string } } = {}
      for (const { callId, kind, toolName } of pending)
        if (kind === 'approval') {
          approved += 1
          decisions[callId] = 'approve'
          progress.say(
            `${runId}: ${toolName} waits for an approval since before the kill: approved.`,
          )
        } else {
          unknown += 1
          const isSent = (await office.letters(order)) > 0
          decisions[callId] = isSent ? { result: 'sent' } : 'retry'
          const found = isSent ? 'it went out: told so' : 'it did not go out: done again'
          progress.say(
            `${runId}: ${toolName} was cut off, nobody knows how it ended. Looked up: ${found}.`,
          )
        }
      await worker.ask('decide', { runId, decisions })
    }
  }
}

const count = (number: number, what: string): string =>
  `${number} ${what}${number === 1 ? '' : 's'}`

async function summarise(office: Office, { unknown, approved }: Decided): Promise<boolean> {
  const { refunds, letters, orders } = await office.totals()
  await office.close()
  progress.show('')
  const isRight = refunds === RUNS && letters === RUNS && orders === RUNS
  progress.say(
    `${RUNS} runs, all done. The world outside has seen ${refunds} refunds and ${letters} letters about ${orders} orders; ` +
      `decided were ${count(unknown, 'unknown outcome')} and ${count(approved, 'approval')}.`,
  )
  progress.say(isRight ? 'Nothing was lost and nothing was doubled.' : 'That is WRONG.')
  return isRight
}

if (!HAS_POSTGRES) {
  console.error(`The demonstration needs PostgreSQL: ${NO_POSTGRES[1]}.`)
  process.exitCode = 1
} else process.exitCode = (await demonstrate()) ? 0 : 1
