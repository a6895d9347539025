/** A worker of the demonstration: a process that runs runs, and answers what the demonstration asks. */
import { durableRuns } from '@toolwright/dbos'
import type { Decisions } from 'toolwright'
import { answerQuestions } from '../../test/processes/asked-process.ts'
import { openOffice } from './office.ts'
import { questionAbout, refundClient } from './refund-client.ts'

export interface DemoTask {
  readonly url: string
  readonly office: string
  readonly name: string
}

/** At the same time, so that both workers have something to do and one sees it. */
const CONCURRENCY = 4

async function prepared({ url, office: officeUrl, name }: DemoTask) {
  const office = await openOffice(officeUrl)
  const clients = { refunds: refundClient(office, name) }
  const durable = await durableRuns({ url, clients, executorId: name, concurrency: CONCURRENCY })
  return {
    async start(order: number) {
      await durable.start('refunds', { prompt: questionAbout(order) }, { runId: `order-${order}` })
    },
    async list(_: undefined) {
      const { runs } = await durable.list({ limit: 1_000 })
      return runs.map(({ runId, status, pending }) => ({ runId, status, pending: pending ?? [] }))
    },
    async decide({ runId, decisions }: { readonly runId: string; readonly decisions: Decisions }) {
      await durable.decide(runId, decisions)
    },
    async close(_: undefined) {
      await durable.close()
    },
  }
}
export type DemoAnswers = Awaited<ReturnType<typeof prepared>>

await answerQuestions(() => prepared(JSON.parse(process.argv[2]!) as DemoTask))
