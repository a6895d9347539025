/** A run of a client, or one leg of it: `invoke_agent`. */
import {
  isSpanContextValid,
  SpanKind,
  type Context,
  type Link,
  type SpanContext,
} from '@opentelemetry/api'
import type { AnswerOutcome, ClientInfo, Json, ObservationOutcome } from 'toolwright'
import { inputText, outputText, systemText } from './content.ts'
import { ATTRIBUTE, CONTENT, EVENT, OPERATION } from './names.ts'
import { given, OpenSpan, seconds, short, type ObservedRun } from './open-span.ts'
import type { OtelSettings } from './otel-settings.ts'

export class AgentSpan extends OpenSpan {
  /** The first leg of a run that was suspended. */
  readonly #first: SpanContext | undefined
  declare readonly run: ObservedRun
  /** False if neither spans nor metrics are made of what is inside. */
  declare readonly inside?: false

  constructor(settings: OtelSettings, outer: Context, info: ClientInfo) {
    const { agentName } = settings
    const first = spanContextOf(info.kept)
    const conversation = conversationOf(info.conversation)
    const run: ObservedRun = {
      conversation,
      inferenceCalls: 0,
      toolCalls: 0,
      rounds: 0,
      lastRound: 0,
      inputTokens: undefined,
      outputTokens: undefined,
    }
    super(
      settings,
      { context: outer, run },
      {
        name: agentName === undefined ? OPERATION.agent : `${OPERATION.agent} ${agentName}`,
        kind: SpanKind.INTERNAL,
        attributes: given({
          [ATTRIBUTE.operation]: OPERATION.agent,
          [ATTRIBUTE.agent]: agentName,
          [ATTRIBUTE.conversation]: conversation,
          [ATTRIBUTE.runId]: short(info.runId),
          [ATTRIBUTE.resumed]: info.phase === 'resume' ? true : undefined,
        }),
        links: linksTo(first),
      },
    )
    this.#first = first
    if (!this.span.isRecording()) {
      run.dropped = this.span
      if (!settings.instruments.isOn) this.inside = false
    } else if (info.messages)
      this.set({
        [CONTENT.system]: systemText(info.messages),
        [CONTENT.input]: inputText(info.messages),
      })
  }

  /** The ids of the first leg, so that every later one can link to it. */
  keep(): Json | undefined {
    const { traceId, spanId, traceFlags } = this.#first ?? this.span.spanContext()
    const ids = { traceId, spanId, traceFlags }
    return isSpanContextValid(ids) ? ids : undefined
  }

  protected finish(outcome: ObservationOutcome, type: string | undefined): void {
    const answer = outcome as AnswerOutcome
    if (answer.finishReason === 'suspended') this.#suspended(answer.pending)
    if (this.span.isRecording()) this.#describe(answer)
    const { instruments, agentName } = this.settings
    if (!instruments.isOn) return
    const agent = given({ [ATTRIBUTE.agent]: agentName })
    instruments.record('agent', seconds(outcome.durationMs), {
      ...agent,
      ...given({ [ATTRIBUTE.error]: type }),
    })
    instruments.record('inferenceCalls', this.run.inferenceCalls, agent)
    instruments.record('toolCalls', this.run.toolCalls, agent)
  }

  #suspended(pending: readonly string[] = []): void {
    this.span.addEvent(EVENT.suspended, { [ATTRIBUTE.pending]: [...pending] })
    const { instruments, agentName } = this.settings
    instruments.count('suspensions', given({ [ATTRIBUTE.agent]: agentName }))
  }

  #describe({ finishReason, response }: AnswerOutcome): void {
    const { rounds, inputTokens, outputTokens } = this.run
    this.set({
      [ATTRIBUTE.finishReason]: finishReason,
      [ATTRIBUTE.rounds]: rounds,
      [ATTRIBUTE.inputTokens]: inputTokens,
      [ATTRIBUTE.outputTokens]: outputTokens,
      [CONTENT.output]: response && outputText(response),
    })
  }
}

/** A conversation's own id; a tenant beside it stays here. */
function conversationOf(key: Json | undefined): string | undefined {
  const id =
    typeof key === 'object' ? (key as { conversation?: unknown } | null)?.conversation : key
  return typeof id === 'string' ? short(id) : undefined
}

/** States are signed, but another version may have kept something else. */
function spanContextOf(kept: Json | undefined): SpanContext | undefined {
  const { traceId, spanId, traceFlags } = Object(kept) as {
    readonly [key in keyof SpanContext]?: unknown
  }
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return undefined
  const ids = { traceId, spanId, traceFlags: Number(traceFlags ?? 0), isRemote: true }
  return isSpanContextValid(ids) ? ids : undefined
}

const linksTo = (first: SpanContext | undefined): Link[] => (first ? [{ context: first }] : [])
