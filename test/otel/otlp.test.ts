/** What a collector gets: the SDK's own OTLP exporters, over HTTP on loopback. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { metrics, trace } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { otelObserver } from '@toolwright/otel'
import { expect, it } from 'vitest'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

interface WireAttribute {
  readonly key: string
  readonly value: object
}

interface WireTraces {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly scope: object; readonly spans: readonly WireSpan[] }[]
  }[]
}

interface WireSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly WireAttribute[]
}

interface WireMetrics {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly WireMetric[] }[]
  }[]
}

interface WireMetric {
  readonly name: string
  readonly histogram: { readonly dataPoints: readonly object[] }
}

const byKey = (one: WireAttribute, other: WireAttribute): number => (one.key < other.key ? -1 : 1)

it('spans and metrics arrive at a collector', async () => {
  const received: { [path: string]: string } = {}
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece) => (body += String(piece)))
    request.on('end', () => {
      received[request.url ?? ''] = body
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tracers = new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }))],
  })
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${url}/v1/metrics` }),
    exportIntervalMillis: 1e9,
  })
  const meters = new MeterProvider({ readers: [reader] })
  trace.setGlobalTracerProvider(tracers)
  metrics.setGlobalMeterProvider(meters)
  try {
    const look = tool({ name: 'look', execute: () => 'seen' })
    await ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'look' }] }, 'Done.']), {
      observer: otelObserver({ agentName: 'support' }),
      tools: [look],
    })
      .prompt('Go')
      .stream()
      .result()
    await tracers.shutdown()
    await meters.shutdown()
  } finally {
    trace.disable()
    metrics.disable()
    server.close()
  }
  const { scopeSpans } = (JSON.parse(received['/v1/traces']!) as WireTraces).resourceSpans[0]!
  expect(scopeSpans[0]!.scope).toMatchObject({ name: '@toolwright/otel', version: '0.1.0' })
  const { spans } = scopeSpans[0]!
  // On the wire INTERNAL is 1 and CLIENT is 3.
  expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
    ['chat scripted', 3],
    ['execute_tool look', 1],
    ['chat scripted', 3],
    ['invoke_agent support', 1],
  ])
  const [, look, , agent] = spans
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([agent!.traceId]))
  expect(agent!.traceId).toMatch(/^[\da-f]{32}$/)
  expect(agent!.spanId).toMatch(/^[\da-f]{16}$/)
  const { spanId } = agent!
  expect(spans.map((span) => span.parentSpanId)).toEqual([spanId, spanId, spanId, undefined])
  const text = (key: string, stringValue: unknown) => ({ key, value: { stringValue } })
  expect(look!.attributes.toSorted(byKey)).toEqual([
    text('gen_ai.agent.name', 'support'),
    text('gen_ai.operation.name', 'execute_tool'),
    text('gen_ai.tool.call.id', 'call_1'),
    text('gen_ai.tool.description', 'look'),
    text('gen_ai.tool.name', 'look'),
    text('gen_ai.tool.type', 'function'),
    text('toolwright.run.id', expect.any(String)),
  ])
  const { scopeMetrics } = (JSON.parse(received['/v1/metrics']!) as WireMetrics).resourceMetrics[0]!
  const sent = new Map(scopeMetrics[0]!.metrics.map((metric) => [metric.name, metric]))
  expect([...sent.keys()]).toContain('gen_ai.client.operation.duration')
  const calls = sent.get('gen_ai.invoke_agent.tool_calls')
  expect(calls).toMatchObject({ unit: '{tool_call}', histogram: { aggregationTemporality: 2 } })
  expect(calls!.histogram.dataPoints).toEqual([
    {
      attributes: [text('gen_ai.agent.name', 'support')],
      startTimeUnixNano: expect.any(String),
      timeUnixNano: expect.any(String),
      count: 1,
      sum: 1,
      min: 1,
      max: 1,
      explicitBounds: [1, 2, 4, 8, 16, 32, 64, 128],
      bucketCounts: [1, 0, 0, 0, 0, 0, 0, 0, 0],
    },
  ])
})
