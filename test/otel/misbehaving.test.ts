/** Exporters, processors and samplers that throw or hang, and values that nobody can export: the run does not notice. */
import { context, metrics, trace } from '@opentelemetry/api'
import { otelObserver } from '@toolwright/otel'
import { describe, expect, it } from 'vitest'
import { ChatClient, tool, toolRunOf, type ChatEvent, type Observer } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'

const fail = (): never => {
  throw new Error('exporter is broken')
}
const exporter = (exporting: SpanExporter['export']): SpanExporter => ({
  export: exporting,
  shutdown: async () => {},
})
const processor = (ways: Partial<SpanProcessor>): SpanProcessor => ({
  onStart() {},
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
  ...ways,
})

const WAYS: { readonly [way: string]: () => SpanProcessor } = {
  'an exporter that throws': () => new SimpleSpanProcessor(exporter(fail)),
  'an exporter that never answers': () => new SimpleSpanProcessor(exporter(() => {})),
  'a batch that never gets out': () =>
    new BatchSpanProcessor(
      exporter(() => {}),
      { maxQueueSize: 2, maxExportBatchSize: 1 },
    ),
  'a processor that throws at the start': () => processor({ onStart: fail }),
  'a processor that throws at the end': () => processor({ onEnd: fail }),
}

const cyclic: { self?: unknown } = {}
cyclic.self = cyclic
const odd = tool({
  name: 'odd',
  execute() {
    const error = new Error('odd')
    Object.defineProperty(error, 'message', { get: fail })
    throw Object.assign(error, { cause: cyclic })
  },
})
const round = tool({
  name: 'round',
  execute(_input: unknown, context) {
    toolRunOf(context).facts?.({
      'server.address': cyclic as never,
      'network.transport': 'x'.repeat(10_000_000),
    })
    return cyclic
  },
})

async function eventsOf(
  mode: 'call' | 'stream',
  observer: Observer,
): Promise<readonly ChatEvent[]> {
  const client = ChatClient.create(
    scriptedModel([{ toolCalls: [{ name: 'odd' }, { name: 'round' }] }, 'Done.']),
    { observer, tools: [odd, round] },
  )
  const events: ChatEvent[] = []
  for await (const event of client.prompt('Go')[mode]()) events.push(event)
  return events
}

const noticesIn = (events: readonly ChatEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [event.code] : []))
const answerIn = (events: readonly ChatEvent[]): unknown => {
  const last = events.at(-1)
  return last?.type === 'response' ? last.response.results[0]?.message.content : undefined
}

describe('telemetry that misbehaves', () => {
  for (const [way, make] of Object.entries(WAYS))
    for (const mode of ['call', 'stream'] as const)
      it(`${way}: the answer is the same, with at most one notice (${mode})`, async () => {
        trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [make()] }))
        try {
          const events = await eventsOf(mode, otelObserver({ content: true }))
          expect(answerIn(events)).toBe('Done.')
          const throws = way.includes('processor that throws')
          expect(noticesIn(events)).toEqual(throws ? ['observer-failed'] : [])
        } finally {
          trace.disable()
        }
      })

  it('a context manager and a meter that throw', async () => {
    const manager = { active: fail, with: fail, bind: fail, enable: fail, disable: () => {} }
    context.setGlobalContextManager(manager as never)
    metrics.setGlobalMeterProvider({ getMeter: fail })
    try {
      const events = await eventsOf('call', otelObserver())
      expect(answerIn(events)).toBe('Done.')
      expect(noticesIn(events)).toEqual(['observer-failed'])
    } finally {
      context.disable()
      metrics.disable()
    }
  })

  it('a meter that throws costs no span', async () => {
    const ended: string[] = []
    const seeing = processor({ onEnd: ({ name }) => void ended.push(name) })
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [seeing] }))
    metrics.setGlobalMeterProvider({ getMeter: fail })
    try {
      await eventsOf('call', otelObserver())
      expect(ended.toSorted()).toEqual([
        'chat scripted',
        'chat scripted',
        'execute_tool odd',
        'execute_tool round',
        'invoke_agent',
      ])
    } finally {
      trace.disable()
      metrics.disable()
    }
  })

  it('of cyclic and gigantic attributes there is what fits', async () => {
    const ended: ReadableSpan[] = []
    const seeing = processor({ onEnd: (span) => void ended.push(span) })
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [seeing] }))
    try {
      await eventsOf('call', otelObserver({ content: true }))
      const { attributes } = ended.find(({ name }) => name === 'execute_tool round')!
      expect(attributes).not.toHaveProperty(['server.address'])
      expect(attributes['network.transport']).toBe('x'.repeat(256))
    } finally {
      trace.disable()
    }
  })

  it('without any SDK nothing happens', async () => {
    const events = await eventsOf('stream', otelObserver({ content: true }))
    expect(answerIn(events)).toBe('Done.')
    expect(noticesIn(events)).toEqual([])
  })
})
