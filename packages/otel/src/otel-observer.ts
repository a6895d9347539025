/**
 * The observer: a run becomes `invoke_agent`, an exchange with its model `chat`, a tool call `execute_tool`. Advisors and
 * rounds have no span of their own; what happens in them is told to the span around them.
 */
import { context, diag } from '@opentelemetry/api'
import type { ObservationInfo, Observer } from 'toolwright'
import { AgentSpan } from './agent-span.ts'
import { ChatSpan } from './chat-span.ts'
import { ambient, type OtelObservation } from './open-span.ts'
import { PassedOn } from './passed-on.ts'
import { otelSettings, type OtelObserverOptions, type OtelSettings } from './otel-settings.ts'
import { ToolSpan } from './tool-span.ts'

/**
 * Spans and metrics through whatever OpenTelemetry SDK the program starts; without one it does nothing.
 *
 * @example
 * const client = ChatClient.create(model, { observer: otelObserver({ agentName: 'support' }) })
 */
export function otelObserver(options: OtelObserverOptions = {}): Observer {
  const settings = otelSettings(options)
  if (settings.content) diag.warn(CONTENT_IS_ON)
  return {
    name: 'otel',
    content: settings.content,
    start: (_kind, info) => started(settings, info),
    around(observation, run) {
      const { hasOwnContext, context: own } = observation as OtelObservation
      return hasOwnContext ? context.with(own, run) : run()
    },
  }
}

const CONTENT_IS_ON =
  '@toolwright/otel records prompts, answers, arguments and results in spans, because content is true.'

function started(settings: OtelSettings, info: ObservationInfo): OtelObservation {
  // By value: only what stands in nothing of ours takes the ambient span as its parent.
  const outer = (info.parent as OtelObservation | undefined) ?? ambient()
  switch (info.kind) {
    case 'client':
      return new AgentSpan(settings, outer.context, info)
    case 'model':
      return new ChatSpan(settings, outer, info)
    case 'tool':
      return new ToolSpan(settings, outer, info)
    default:
      return new PassedOn(outer)
  }
}
