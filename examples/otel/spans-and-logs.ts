/**
 * What a run looks like in OpenTelemetry: its spans with their tokens and errors, and a log whose lines have the ids of
 * the spans. The exporter keeps everything in memory; a program of yours starts its usual SDK instead.
 */
import assert from 'node:assert/strict'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { otelObserver } from '@toolwright/otel'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const exporter = new InMemorySpanExporter()
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
)

const lines: { readonly message: string; readonly trace_id?: unknown }[] = []
const write = (message: string, data: object = {}): void => void lines.push({ message, ...data })
const client = ChatClient.create(
  scriptedModel([
    { toolCalls: [{ name: 'weather' }, { name: 'whether' }], usage: { inputTokens: 40 } },
    { text: 'It is cold.', usage: { inputTokens: 60, outputTokens: 4 } },
  ]),
  {
    observer: otelObserver({ agentName: 'forecast' }),
    logger: { debug: write, info: write, warn: write, error: write },
    tools: [tool({ name: 'weather', description: 'The weather', execute: () => '-3 °C' })],
  },
)
await client.prompt('How is the weather?').call().content()

for (const { name, attributes } of exporter.getFinishedSpans())
  console.log(name, attributes['gen_ai.usage.input_tokens'] ?? attributes['error.type'] ?? 'ok')
const ids = new Set(exporter.getFinishedSpans().map((span) => span.spanContext().traceId))
assert.equal(ids.size, 1)
assert.ok(lines.every(({ trace_id }) => ids.has(String(trace_id))))
