/**
 * The observer: a run becomes `invoke_agent`, an exchange with its model `chat`, a tool call `execute_tool`; a run that
 * answers a request of MCP is that request's. Advisors and rounds have no span of their own; what happens in them is told
 * to the span around them.
 */
import { context, diag } from '@opentelemetry/api'
import type { ModelInfo, ObservationInfo, Observer } from 'toolwright'
import { AgentSpan } from './agent-span.ts'
import { ChatSpan } from './chat-span.ts'
import { isOfMcp } from './told-facts.ts'
import { ambient, type OtelObservation } from './open-span.ts'
import { PassedOn } from './passed-on.ts'
import { otelSettings, type OtelObserverOptions, type OtelSettings } from './otel-settings.ts'
import { ServedSpan } from './served-span.ts'
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
      return isOfMcp(info.facts)
        ? new ServedSpan(settings, outer.context, info)
        : new AgentSpan(settings, outer.context, info)
    case 'model':
      return isNoModel(info) ? new PassedOn(outer) : new ChatSpan(settings, outer, info)
    case 'tool':
      return new ToolSpan(settings, outer, info)
    default:
      return new PassedOn(outer)
  }
}

/** `oneCallModel()` asks nobody: it brings a call from outside to the loop. */
const isNoModel = ({ provider, name }: ModelInfo): boolean =>
  provider === 'toolwright' && name === 'one-call'
