/**
 * A run that answers a request of MCP, or one leg of it: `tools/call {tool}`, `prompts/get {prompt}`. No agent is invoked
 * and no model is asked, so it is the request's span, and the call of the tool stands inside it.
 */
import { SpanKind, SpanStatusCode, type Context } from '@opentelemetry/api'
import type { AnswerOutcome, ClientInfo, ObservationOutcome, ObservedFacts } from 'toolwright'
import { measuredFacts, recordedFacts, targetFacts } from './told-facts.ts'
import { ATTRIBUTE, OPERATION } from './names.ts'
import { given, seconds, short, type SpanStart } from './open-span.ts'
import type { OtelSettings } from './otel-settings.ts'
import { RunSpan } from './run-span.ts'

export class ServedSpan extends RunSpan {
  readonly #facts: ObservedFacts

  constructor(settings: OtelSettings, outer: Context, info: ClientInfo) {
    const { facts = {} } = info
    super(settings, outer, { info, start: startOf(info, facts) })
    this.#facts = facts
  }

  protected finish(outcome: ObservationOutcome, type: string | undefined): void {
    this.suspended(outcome as AnswerOutcome)
    const failure = type === undefined ? this.#failure() : {}
    if (failure[ATTRIBUTE.error] !== undefined) {
      this.set(failure)
      this.span.setStatus({ code: SpanStatusCode.ERROR })
    }
    const { instruments } = this.settings
    if (!instruments.isOn) return
    instruments.record('mcpServer', seconds(outcome.durationMs), {
      ...operationOf(this.#facts),
      ...targetFacts(this.#facts),
      ...measuredFacts(this.#facts),
      ...given({ [ATTRIBUTE.error]: type, ...failure }),
    })
  }

  /** As the client gets it: of a tool a result that is an error, of anything else an error of JSON-RPC. */
  #failure(): { readonly [name: string]: string } {
    const { lastCallFailed, lastCallStatus } = this.run
    if (isToolCall(this.#facts)) return lastCallFailed ? { [ATTRIBUTE.error]: 'tool_error' } : {}
    const status = lastCallStatus ?? (lastCallFailed ? INTERNAL_ERROR : undefined)
    return status === undefined ? {} : { [ATTRIBUTE.error]: status, [ATTRIBUTE.rpcStatus]: status }
  }
}

const INTERNAL_ERROR = '-32603'

function startOf({ runId, phase }: ClientInfo, facts: ObservedFacts): SpanStart {
  const target = facts[ATTRIBUTE.tool] ?? facts[ATTRIBUTE.prompt]
  const method = String(facts[ATTRIBUTE.mcpMethod])
  return {
    name: target === undefined ? method : `${method} ${target}`,
    kind: SpanKind.SERVER,
    attributes: {
      ...operationOf(facts),
      ...targetFacts(facts),
      ...recordedFacts(facts),
      ...given({
        [ATTRIBUTE.runId]: short(runId),
        [ATTRIBUTE.resumed]: phase === 'resume' ? true : undefined,
      }),
    },
  }
}

const isToolCall = (facts: ObservedFacts): boolean => facts[ATTRIBUTE.mcpMethod] === 'tools/call'

const operationOf = (facts: ObservedFacts): { readonly [name: string]: string } =>
  isToolCall(facts) ? { [ATTRIBUTE.operation]: OPERATION.tool } : {}
