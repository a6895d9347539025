/** One contender: conversations over HTTP, watched as its task says; answers with the CPU time of this process. */
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { AlwaysOffSampler, BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { otelObserver } from '@toolwright/otel'
import { ChatClient, tool, type Observer } from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'
import { answerQuestions } from '../../../test/processes/asked-process.ts'
import {
  forecast,
  INPUT_SCHEMA,
  QUESTION,
  toolNames,
  type WeatherInput,
} from '../wire/workers/weather.ts'

export type Watching = 'nothing' | 'no-op observer' | 'SDK alone' | 'sampled-out spans'

export interface ObserveTask {
  readonly baseUrl: string
  readonly watching: Watching
}

export interface AskedConversations {
  readonly mode: 'call' | 'stream'
  readonly conversations: number
}

export type ObserveAnswers = { cpu(asked: AskedConversations): Promise<number> }

const MODEL = 'mock-r5-c2-t20-k4-p10'

function observerOf(watching: Watching): Observer | undefined {
  if (watching === 'nothing') return undefined
  if (watching === 'no-op observer')
    return { start: () => ({ end() {}, event() {} }), around: (_observation, run) => run() }
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler: new AlwaysOffSampler() }))
  return watching === 'SDK alone' ? undefined : otelObserver({ agentName: 'bench' })
}

const { baseUrl, watching } = JSON.parse(process.argv[2]!) as ObserveTask
const observer = observerOf(watching)
const client = ChatClient.create(openaiCompatible(MODEL, { baseUrl, apiKey: 'bench' }), {
  ...(observer && { observer }),
  tools: toolNames(4).map((name) =>
    tool({
      name,
      input: INPUT_SCHEMA as never,
      execute: (input: unknown) => forecast(input as WeatherInput),
    }),
  ),
})

await answerQuestions(async (): Promise<ObserveAnswers> => ({
  async cpu({ mode, conversations }) {
    const before = process.cpuUsage()
    // As inside a request that the program's own SDK traces; without one this only calls.
    await context.with(context.active(), async () => {
      for (let each = 0; each < conversations; each++) {
        const { rounds } = await client.prompt(QUESTION)[mode]().result()
        if (rounds.length !== 6) throw new Error(`${rounds.length} rounds instead of 6`)
      }
    })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / conversations
  },
}))
