/** The same steps as a durable run: a model that asks for one call in each round, and a tool that is keyed. */
import { durableRuns, type DurableRuns } from '@toolwright/dbos'
import { ChatClient, tool, type ChatModel, type ChatResponse, type Prompt } from 'toolwright'
import { answerQuestions } from '../../../test/processes/asked-process.ts'
import { FINAL_ANSWER, modelAnswer, TOOL_RESULT } from './payloads.ts'
import { stepTimes, type StepBatch } from './step-times.ts'

export interface AskedSteps {
  /** At the same time. */
  readonly runs: number
  /** Each with a step of the model and one of the tool. */
  readonly rounds: number
}

/** Runs with ids `<name>-0` and so on. */
export interface AskedRuns {
  readonly name: string
  readonly count: number
  /** At the same time. */
  readonly together: number
}

const { url } = JSON.parse(process.argv[2]!) as { readonly url: string }
const times = stepTimes()

/** The prompt says how many rounds there are. */
function answer({ messages }: Prompt): ChatResponse {
  times.mark()
  const asked = messages.find(({ role }) => role === 'user')
  const rounds = asked?.role === 'user' ? Number(asked.content) : 0
  const round = messages.filter(({ role }) => role === 'tool').length
  return round < rounds ? modelAnswer(round) : FINAL_ANSWER
}

const model: ChatModel = {
  provider: 'bench',
  model: 'bench',
  capabilities: {},
  options: {},
  call: async (prompt) => answer(prompt),
  async *stream(prompt) {
    yield { type: 'response', response: answer(prompt) }
  },
}

const weather = (delayMs: number, approval: boolean) =>
  tool({
    name: 'weather',
    description: 'What the weather will be',
    input: {
      type: 'object',
      properties: { city: { type: 'string' }, round: { type: 'integer' } },
      required: ['city', 'round'],
    },
    effect: 'keyed',
    approval,
    async execute() {
      times.mark()
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
      return TOOL_RESULT
    },
  })

const limits = { rounds: 'unlimited', callsPerTool: 'unlimited', callsTotal: 'unlimited' } as const
const durable: DurableRuns = await durableRuns({
  url,
  clients: {
    quick: ChatClient.create(model, { tools: [weather(0, false)], limits }),
    slow: ChatClient.create(model, { tools: [weather(500, false)], limits }),
    parked: ChatClient.create(model, { tools: [weather(0, true)], limits }),
  },
})

const start = (client: string, rounds: number, runId?: string) =>
  durable.start(
    client,
    { prompt: String(rounds), stream: false },
    runId === undefined ? {} : { runId },
  )

async function inLanes({ count, together }: AskedRuns, work: (at: number) => Promise<unknown>) {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: together }, lane))
  return performance.now() - started
}

const answers = {
  async steps({ runs, rounds }: AskedSteps): Promise<StepBatch> {
    const started = await Promise.all(Array.from({ length: runs }, () => start('quick', rounds)))
    await Promise.all(started.map((run) => run.result()))
    return times.take()
  },
  /** Runs of three steps, to their end. Gives the ms that all of them took. */
  run: (asked: AskedRuns): Promise<number> =>
    inLanes(asked, async (at) => (await start('quick', 1, `${asked.name}-${at}`)).result()),
  /** Runs that wait for an approval. */
  park: (asked: AskedRuns): Promise<number> =>
    inLanes(asked, async (at) => {
      const { status } = await (await start('parked', 1, `${asked.name}-${at}`)).result()
      if (status !== 'suspended') throw new Error(`A run that should wait is ${status}.`)
    }),
  /** Runs that take some seconds; nobody waits for them. */
  begin: (asked: AskedRuns): Promise<number> =>
    inLanes(asked, (at) => start('slow', 4, `${asked.name}-${at}`)),
  /** Waits for them. */
  finish: (asked: AskedRuns): Promise<number> =>
    inLanes(asked, async (at) => (await durable.attach(`${asked.name}-${at}`)).result()),
  async approve(runId: string): Promise<void> {
    await (await durable.decide(runId, { call_0: 'approve' })).result()
  },
}
export type ToolwrightAnswers = typeof answers
await answerQuestions(async () => answers)
