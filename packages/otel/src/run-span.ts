/**
 * What the spans of runs have in common, whoever asked for the run: they add up what happens inside, end with an event
 * where the run waits, and link to the first leg of a run that was suspended.
 */
import { isSpanContextValid, type Context, type Link, type SpanContext } from '@opentelemetry/api'
import type { AnswerOutcome, ClientInfo, Json } from 'toolwright'
import { ATTRIBUTE, EVENT } from './names.ts'
import { given, OpenSpan, short, type ObservedRun, type SpanStart } from './open-span.ts'
import type { OtelSettings } from './otel-settings.ts'

export interface StartedRun {
  readonly info: ClientInfo
  readonly start: SpanStart
}

export abstract class RunSpan extends OpenSpan {
  /** The first leg of a run that was suspended. */
  readonly #first: SpanContext | undefined
  declare readonly run: ObservedRun
  /** False if neither spans nor metrics are made of what is inside. */
  declare readonly inside?: false

  constructor(settings: OtelSettings, outer: Context, { info, start }: StartedRun) {
    const first = spanContextOf(info.kept)
    const run: ObservedRun = {
      conversation: conversationOf(info.conversation),
      inferenceCalls: 0,
      toolCalls: 0,
      rounds: 0,
      lastRound: 0,
      inputTokens: undefined,
      outputTokens: undefined,
      lastCallFailed: false,
      lastCallStatus: undefined,
    }
    const { name, kind, attributes } = start
    super(settings, { context: outer, run }, { name, kind, attributes, links: linksTo(first) })
    this.#first = first
    if (this.span.isRecording()) return
    run.dropped = this.span
    if (!settings.instruments.isOn) this.inside = false
  }

  /** The ids of the first leg, so that every later one can link to it. */
  keep(): Json | undefined {
    const { traceId, spanId, traceFlags } = this.#first ?? this.span.spanContext()
    const ids = { traceId, spanId, traceFlags }
    return isSpanContextValid(ids) ? ids : undefined
  }

  /** Tells that the run waits, if it does. */
  protected suspended({ finishReason, pending = [] }: AnswerOutcome): void {
    if (finishReason !== 'suspended') return
    this.span.addEvent(EVENT.suspended, { [ATTRIBUTE.pending]: [...pending] })
    const { instruments, agentName } = this.settings
    instruments.count('suspensions', given({ [ATTRIBUTE.agent]: agentName }))
  }
}

/** A conversation's own id; a tenant beside it stays here. */
export function conversationOf(key: Json | undefined): string | undefined {
  const id =
    typeof key === 'object' ? (key as { conversation?: unknown } | null)?.conversation : key
  return typeof id === 'string' ? short(id) : undefined
}

/** States are signed, but another version may have kept something else. */
function spanContextOf(kept: Json | undefined): SpanContext | undefined {
  if (kept === undefined) return undefined
  const { traceId, spanId, traceFlags } = Object(kept) as {
    readonly [key in keyof SpanContext]?: unknown
  }
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return undefined
  const ids = { traceId, spanId, traceFlags: Number(traceFlags ?? 0), isRemote: true }
  return isSpanContextValid(ids) ? ids : undefined
}

const linksTo = (first: SpanContext | undefined): Link[] | undefined =>
  first && [{ context: first }]
