/** One process of a run that is suspended in one and goes on in another. Prints its spans and, if it waits, its state. */
import { otelObserver } from '@toolwright/otel'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { trace } from '@opentelemetry/api'
import { ChatClient, tool, type RunState } from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'

const mode = process.argv[2] as 'call' | 'stream'
const state = process.argv[3] === undefined ? undefined : (JSON.parse(process.argv[3]) as RunState)
const exporter = new InMemorySpanExporter()
// Counted, and those of the second process are not those of the first.
let count = state ? 0x20 : 0x10
const counted = (length: number): string => (++count).toString(16).padStart(length, '0')
trace.setGlobalTracerProvider(
  new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    idGenerator: { generateTraceId: () => counted(32), generateSpanId: () => counted(16) },
  }),
)
const client = ChatClient.create(
  scriptedModel([state ? 'Paid.' : { toolCalls: [{ name: 'pay' }] }]),
  {
    ids: countingIds(),
    clock: manualClock(),
    observer: otelObserver(),
    stateSecret: 'shared by both processes',
    tools: [tool({ name: 'pay', approval: true, execute: () => 'paid' })],
  },
)
const request = state ? client.resume(state, { call_1: 'approve' }) : client.prompt('Pay')
const result = await request[mode]().result()
const spans = exporter.getFinishedSpans().map((span) => ({
  name: span.name,
  kind: span.kind,
  attributes: span.attributes,
  events: span.events.map(({ name, attributes }) => ({ name, attributes })),
  status: span.status,
  ids: span.spanContext(),
  parent: span.parentSpanContext?.spanId,
  links: span.links.map((link) => link.context),
}))
console.log(JSON.stringify({ spans, state: result.state, status: result.status }))
