/**
 * Conversations over HTTP in one process: by two clients that nobody watches, and by two that are watched as the task
 * says. Answers with the CPU time of the process.
 */
import { context, metrics, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { AlwaysOffSampler, BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { otelObserver } from '@toolwright/otel'
import { ChatClient, tool, type Observation, type Observer } from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'
import { answerQuestions } from '../../../test/processes/asked-process.ts'
import {
  forecast,
  INPUT_SCHEMA,
  QUESTION,
  toolNames,
  type WeatherInput,
} from '../wire/workers/weather.ts'

export type Watching = 'no-op observer' | 'sampled-out spans' | 'dropped spans, metrics on'
/**
 * `control` is watched as little as `base`: what is measured of it is the error of the measurement. As many are watched
 * as are not, because the engine compiles for what it sees most, and whatever is rarer pays for that.
 */
export type Contender = 'base' | 'control' | 'watched' | 'watchedToo'

export interface ObserveTask {
  readonly baseUrl: string
  readonly watching: Watching
}

export interface AskedConversations {
  readonly of: Contender
  readonly mode: 'call' | 'stream'
  readonly conversations: number
}

export type ObserveAnswers = { cpu(asked: AskedConversations): Promise<number> }

const MODEL = 'mock-r5-c2-t20-k4-p10'

/** What is measured is added up as for every reader, and never exported: no timer stands in the figures. */
class QuietReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** One for all: what an observer makes for each observation is its own cost. */
const IDLE: Observation = { end() {}, event() {} }

function observerOf(watching: Watching): Observer {
  if (watching === 'no-op observer')
    return { start: () => IDLE, around: (_observation, run) => run() }
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler: new AlwaysOffSampler() }))
  if (watching === 'dropped spans, metrics on')
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [new QuietReader()] }))
  return otelObserver({ agentName: 'bench' })
}

const { baseUrl, watching } = JSON.parse(process.argv[2]!) as ObserveTask

const clientWith = (observer?: Observer): ChatClient =>
  ChatClient.create(openaiCompatible(MODEL, { baseUrl, apiKey: 'bench' }), {
    ...(observer && { observer }),
    tools: toolNames(4).map((name) =>
      tool({
        name,
        input: INPUT_SCHEMA as never,
        execute: (input: unknown) => forecast(input as WeatherInput),
      }),
    ),
  })
const observer = observerOf(watching)
const clients: { readonly [name in Contender]: ChatClient } = {
  base: clientWith(),
  watched: clientWith(observer),
  control: clientWith(),
  watchedToo: clientWith(observer),
}

async function converse(client: ChatClient, mode: AskedConversations['mode']): Promise<void> {
  const { rounds } = await client.prompt(QUESTION)[mode]().result()
  if (rounds.length !== 6) throw new Error(`${rounds.length} rounds instead of 6`)
}

await answerQuestions(async (): Promise<ObserveAnswers> => ({
  async cpu({ of, mode, conversations }) {
    const before = process.cpuUsage()
    // As inside a request that the program's own SDK traces; without one this only calls.
    await context.with(context.active(), () =>
      // At once, as a server holds them: one after another, both processes sleep in between, and what waking costs depends on
      // the moment.
      Promise.all(Array.from({ length: conversations }, () => converse(clients[of], mode))),
    )
    const { user, system } = process.cpuUsage(before)
    return (user + system) / conversations
  },
}))
