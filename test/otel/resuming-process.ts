/** One process of a run that is suspended in one and goes on in another. Prints its spans and, if it waits, its state. */
import { otelObserver } from '@toolwright/otel'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { trace } from '@opentelemetry/api'
import { ChatClient, tool, type RunState } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const state = process.argv[2] === undefined ? undefined : (JSON.parse(process.argv[2]) as RunState)
const exporter = new InMemorySpanExporter()
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
)
const client = ChatClient.create(
  scriptedModel([state ? 'Paid.' : { toolCalls: [{ name: 'pay' }] }]),
  {
    observer: otelObserver(),
    stateSecret: 'shared by both processes',
    tools: [tool({ name: 'pay', approval: true, execute: () => 'paid' })],
  },
)
const request = state ? client.resume(state, { call_1: 'approve' }) : client.prompt('Pay')
const result = await request.call().result()
const spans = exporter.getFinishedSpans().map((span) => ({
  name: span.name,
  spanId: span.spanContext().spanId,
  traceId: span.spanContext().traceId,
  links: span.links.map((link) => link.context),
}))
console.log(JSON.stringify({ spans, state: result.state, status: result.status }))
