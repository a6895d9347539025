/** The door `@toolwright/otel`: spans and metrics by OpenTelemetry, and the trace across processes. */
export { otelObserver } from './otel-observer.ts'
export type { OtelObserverOptions } from './otel-settings.ts'
export { inTraceContext, traceContext } from './trace-context.ts'
export type { TraceCarrier } from './trace-context.ts'
