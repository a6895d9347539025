/**
 * The real SDK of OpenTelemetry, with everything it exports kept in memory: spans as trees of plain data, metrics as
 * plain points. Ids are counted, so that two plays of a scenario are the same.
 */
import {
  context,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type Histogram,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type Sampler,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll } from 'vitest'

export interface SeenSpan {
  readonly name: string
  readonly kind: string
  readonly attributes: Attributes
  readonly events?: readonly { readonly name: string; readonly attributes: Attributes }[]
  /** Numbers of the spans that it links to. */
  readonly links?: readonly string[]
  readonly failed?: true
  readonly children?: readonly SeenSpan[]
}

export interface Spread {
  /** How many are in each bucket that has any, by its upper bound. */
  readonly in: { readonly [upTo: string]: number }
  readonly min?: number
  readonly max?: number
}

export interface Telemetry {
  /** Everything new, before each play. */
  reset(): void
  finished(): readonly ReadableSpan[]
  /** The spans that stand in no other, with those inside, in order of their start. */
  trees(): readonly SeenSpan[]
  /** Names only, indented. */
  outline(): readonly string[]
  /** Every metric by its name: attributes and value of each point. */
  points(): Promise<{ readonly [metric: string]: readonly unknown[] }>
  /** Where the values of each point of a histogram are, in the order of `points`. */
  spreads(): Promise<{ readonly [metric: string]: readonly Spread[] }>
  /** Units and bounds, by the metric's name. */
  shapes(): Promise<{ readonly [metric: string]: unknown }>
  /** All that was exported, as text. */
  everything(): Promise<string>
}

export interface TelemetryOptions {
  readonly processors?: readonly SpanProcessor[]
  readonly sampler?: Sampler
}

/** Starts the SDK for a test file. */
export function telemetry({ processors = [], sampler }: TelemetryOptions = {}): Telemetry {
  const spans = new InMemorySpanExporter()
  let count = 0
  const counted = (length: number): string => (++count).toString(16).padStart(length, '0')
  const tracers = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spans), ...processors],
    idGenerator: { generateTraceId: () => counted(32), generateSpanId: () => counted(16) },
    ...(sampler && { sampler }),
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(
    new CompositePropagator({
      propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
    }),
  )
  trace.setGlobalTracerProvider(tracers)
  let meters = startMeters()
  afterAll(async () => {
    await tracers.shutdown()
    await meters.reader.shutdown()
    for (const api of [trace, metrics, context, propagation]) api.disable()
  })
  const exported = async (): Promise<readonly ResourceMetrics[]> => {
    await meters.reader.forceFlush()
    return meters.exporter.getMetrics()
  }
  const eachMetric = async () =>
    ((await exported()).at(-1)?.scopeMetrics ?? []).flatMap((scope) => scope.metrics)
  return {
    reset() {
      spans.reset()
      count = 0
      metrics.disable()
      meters = startMeters()
    },
    finished: () => spans.getFinishedSpans(),
    trees: () => treesOf(spans.getFinishedSpans()),
    outline: () => treesOf(spans.getFinishedSpans()).flatMap((tree) => linesOf(tree, '')),
    async points() {
      const all = (await eachMetric()).map(
        ({ descriptor, dataPoints }) =>
          [
            descriptor.name,
            dataPoints.map(({ attributes, value }) => ({ ...attributes, is: plainValue(value) })),
          ] as const,
      )
      return Object.fromEntries(all)
    },
    async spreads() {
      const histograms = (await eachMetric()).flatMap(({ descriptor: { name }, dataPoints }) => {
        const spreads = dataPoints.flatMap(({ value }) => spreadOf(value) ?? [])
        return spreads.length > 0 ? [[name, spreads] as const] : []
      })
      return Object.fromEntries(histograms)
    },
    async shapes() {
      const all = (await eachMetric()).map(({ descriptor: { name, unit }, dataPoints }) => {
        const { buckets } = dataPoints[0]!.value as { readonly buckets?: { boundaries: unknown } }
        return [name, buckets ? [unit, buckets.boundaries] : [unit]] as const
      })
      return Object.fromEntries(all) as { readonly [metric: string]: unknown }
    },
    async everything() {
      const seen = spans
        .getFinishedSpans()
        .map(({ name, attributes, events, links, status }) => [
          name,
          attributes,
          events,
          links,
          status,
        ])
      return JSON.stringify([seen, await exported()])
    },
  }
}

function startMeters() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  // So long that only forceFlush exports.
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1e9 })
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
  return { exporter, reader }
}

/** Of a histogram how many there were and their sum; of a counter its count. */
function plainValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { count, sum } = value as { readonly count: number; readonly sum: number }
  return { count, sum }
}

function spreadOf(value: unknown): Spread | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { buckets, min, max } = value as Histogram
  const counted = buckets.counts.flatMap((count, at) =>
    count > 0 ? [[String(buckets.boundaries[at] ?? Infinity), count]] : [],
  )
  return {
    in: Object.fromEntries(counted) as Spread['in'],
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  }
}

function treesOf(all: readonly ReadableSpan[]): readonly SeenSpan[] {
  // Ids are counted, so this is the order of the starts.
  const ordered = all.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  const ids = new Set(ordered.map(idOf))
  const inside = (parent: string | undefined): readonly SeenSpan[] =>
    ordered
      .filter((span) => {
        const outer = span.parentSpanContext?.spanId
        return parent === undefined ? outer === undefined || !ids.has(outer) : outer === parent
      })
      .map((span) => seenSpan(span, inside(idOf(span))))
  return inside(undefined)
}

const idOf = (span: ReadableSpan): string => span.spanContext().spanId

function seenSpan(span: ReadableSpan, children: readonly SeenSpan[]): SeenSpan {
  const { name, kind, attributes, events, links, status } = span
  return {
    name,
    kind: SpanKind[kind],
    attributes,
    ...(events.length > 0 && {
      events: events.map((event) => ({ name: event.name, attributes: event.attributes ?? {} })),
    }),
    ...(links.length > 0 && { links: links.map((link) => link.context.spanId) }),
    ...(status.code === SpanStatusCode.ERROR && { failed: true }),
    ...(children.length > 0 && { children }),
  }
}

function linesOf({ name, failed, children = [] }: SeenSpan, indent: string): readonly string[] {
  return [
    `${indent}${name}${failed ? ' !' : ''}`,
    ...children.flatMap((child) => linesOf(child, `${indent}  `)),
  ]
}
