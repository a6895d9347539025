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
  const { scopeSpans } = (
    JSON.parse(received['/v1/traces']!) as {
      resourceSpans: { scopeSpans: { scope: object; spans: { name: string; kind: number }[] }[] }[]
    }
  ).resourceSpans[0]!
  expect(scopeSpans[0]!.scope).toMatchObject({ name: '@toolwright/otel', version: '0.1.0' })
  // On the wire INTERNAL is 1 and CLIENT is 3.
  expect(scopeSpans[0]!.spans.map(({ name, kind }) => [name, kind])).toEqual([
    ['chat scripted', 3],
    ['execute_tool look', 1],
    ['chat scripted', 3],
    ['invoke_agent support', 1],
  ])
  for (const name of ['gen_ai.client.operation.duration', 'gen_ai.invoke_agent.tool_calls'])
    expect(received['/v1/metrics']).toContain(`"name":"${name}"`)
})
