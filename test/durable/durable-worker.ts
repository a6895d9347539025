/** One of the processes that run durable runs together, and that the suites kill, stop and continue. */
import { durableRuns, type DurableRuns, type DurableRunsOptions } from '@toolwright/dbos'
import type { ChatEvent, Decisions, Message, PendingCall } from 'toolwright'
import { answerQuestions } from '../processes/asked-process.ts'
import { openLedger } from './effect-ledger.ts'
import { watchStatements, type StatementKill } from './statement-watch.ts'
import { clientsOf, promptOf, type ClientName } from './twelve-steps.ts'

export interface WorkerTask {
  readonly url: string
  readonly ledger: string
  readonly options?: Omit<DurableRunsOptions, 'url' | 'clients'>
}

export interface StartedRun {
  readonly runId: string
  readonly client: ClientName
  /** How long a tool pauses at most before and after its effect. */
  readonly delayMs: number
  readonly stream: boolean
}

/** How a run rests. */
export interface RestingRun {
  readonly status: 'done' | 'suspended' | 'limit'
  readonly text: string
  readonly messages: readonly Message[]
  readonly pending: readonly PendingCall[]
}

export type WorkerAnswers = ReturnType<typeof answersOf>

function answersOf(durable: DurableRuns, watch: ReturnType<typeof watchStatements>) {
  return {
    async start({ runId, client, delayMs, stream }: StartedRun): Promise<void> {
      const toolContext = { run: runId, delayMs }
      await durable.start(client, { prompt: promptOf(runId), toolContext, stream }, { runId })
    },
    async result(runId: string): Promise<RestingRun> {
      const { status, response, messages, pending } = await (await durable.attach(runId)).result()
      return {
        status,
        text: textOf(response.results[0]!.message),
        messages,
        pending: pending ?? [],
      }
    },
    async decide(asked: { readonly runId: string; readonly decisions: Decisions }): Promise<void> {
      await durable.decide(asked.runId, asked.decisions)
    },
    /** Decides all of them, as fast as it can, and tells which of its decisions were taken. */
    async race({ runIds, decisions }: RacedDecisions): Promise<readonly string[]> {
      const won: string[] = []
      const refused: string[] = []
      let next = 0
      const racer = async (): Promise<void> => {
        for (let runId = runIds[next++]; runId !== undefined; runId = runIds[next++])
          try {
            await durable.decide(runId, decisions)
            won.push(runId)
          } catch (error) {
            refused.push((error as Error).message)
          }
      }
      await Promise.all(Array.from({ length: 8 }, racer))
      if (won.length + refused.length !== runIds.length) throw new Error('A decision got lost.')
      return won
    },
    async events(runId: string): Promise<readonly ChatEvent[]> {
      const events: ChatEvent[] = []
      for await (const event of (await durable.attach(runId)).events()) events.push(event)
      return events
    },
    async watch(asked: WatchedRun): Promise<void> {
      watch.watch(asked.run, asked.kill)
    },
    async seen(_: undefined): Promise<readonly string[]> {
      return watch.seen
    },
    async close(_: undefined): Promise<void> {
      await durable.close()
    },
  }
}

export interface WatchedRun {
  readonly run: string
  /** Where this worker kills itself. */
  readonly kill?: StatementKill
}

export interface RacedDecisions {
  readonly runIds: readonly string[]
  readonly decisions: Decisions
}

const textOf = ({ content }: Extract<Message, { readonly role: 'assistant' }>): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('')

if (process.argv[2] !== undefined && process.send) {
  const { url, ledger, options } = JSON.parse(process.argv[2]) as WorkerTask
  const watch = watchStatements()
  const clients = clientsOf(openLedger(ledger))
  await answerQuestions(async () =>
    answersOf(await durableRuns({ ...options, url, clients }), watch),
  )
}
