/**
 * What the spans of runs, models and tools have in common: where they stand, how they fail, and the ids that lines of
 * the log get. A span always ends, whatever goes wrong with what is recorded of it.
 */
import {
  context,
  isSpanContextValid,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanKind,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api'
import type { Observation, ObservationOutcome, ObservedEvent } from 'toolwright'
import { errorText, recorded } from './content.ts'
import { codeWord, errorType } from './error-type.ts'
import { ATTRIBUTE, CONTENT, EVENT, LOG, OPERATION, SCOPE } from './names.ts'
import type { OtelSettings } from './otel-settings.ts'
import { bringerOf, withoutBringer } from './trace-context.ts'

/** What one run, or one leg of it, adds up, and what its inner spans repeat. */
export interface ObservedRun {
  readonly conversation: string | undefined
  inferenceCalls: number
  toolCalls: number
  /** In how many rounds a model was asked, and which was the last. */
  rounds: number
  lastRound: number
  /** Undefined as long as no model has told. */
  inputTokens: number | undefined
  outputTokens: number | undefined
  /** Whether the call that ended last failed: inner calls end before outer ones. */
  lastCallFailed: boolean
  /** With which code of JSON-RPC it said that its request is refused, if it did. */
  lastCallStatus: string | undefined
  /** The run's span, if it is not recorded: then nothing inside is, and it stands for all of them. */
  dropped?: Span
}

/** What this package's observer returns for whatever starts. */
export interface OtelObservation extends Observation {
  /** The span it stands for or in, as the ambient one. */
  readonly context: Context
  /** False: it has no span, and its context is the one around it. */
  readonly hasOwnContext: boolean
  /** Absent where a manager is used by hand. */
  readonly run: ObservedRun | undefined
}

export interface SpanStart {
  readonly name: string
  readonly kind: SpanKind
  /** What a sampler may decide by. The rest is set where the span is recorded. */
  readonly attributes: Attributes
  readonly links?: Link[] | undefined
}

/** Attributes, some of which are not known. */
type Maybe = { readonly [name: string]: Attributes[string] | undefined }

export abstract class OpenSpan implements OtelObservation {
  readonly context: Context
  readonly run: ObservedRun | undefined
  protected readonly settings: OtelSettings
  protected readonly span: Span
  readonly hasOwnContext: boolean

  constructor(
    settings: OtelSettings,
    outer: { readonly context: Context; readonly run: ObservedRun | undefined },
    { name, kind, attributes, links = NO_LINKS }: SpanStart,
  ) {
    this.settings = settings
    this.run = outer.run
    const dropped = outer.run?.dropped
    this.hasOwnContext = dropped === undefined
    if (dropped) {
      this.span = dropped
      this.context = outer.context
      return
    }
    const bringer = bringerOf(outer.context)
    const inner = bringer ? withoutBringer(outer.context) : outer.context
    const linked = bringer ? [...links, { context: bringer }] : links
    this.span = tracer().startSpan(name, { kind, attributes, links: linked }, inner)
    this.context = trace.setSpan(inner, this.span)
  }

  /** Asked for by lines of the log only. */
  get logged(): { readonly [key: string]: string } {
    return idsOf(this.span)
  }

  /** What is recorded at the end; `type` is the failure's, if it failed. */
  protected abstract finish(outcome: ObservationOutcome, type: string | undefined): void

  end(outcome: ObservationOutcome): void {
    try {
      const type = errorType(outcome)
      if (type !== undefined) this.#fail(type, outcome.error)
      this.finish(outcome, type)
    } finally {
      if (this.hasOwnContext) this.span.end()
    }
  }

  event({ code, message, data, runId }: ObservedEvent): void {
    const isRetry = code === 'retry' || code === 'model-retry'
    // One of a run inside a tool is counted there, under the name of its own agent.
    if (isRetry && runId === undefined) this.retried(code)
    if (!this.span.isRecording()) return
    const attempt = (Object(data) as { readonly attempt?: unknown }).attempt
    this.span.addEvent(isRetry ? EVENT.retry : EVENT.notice, {
      [ATTRIBUTE.notice]: codeWord(code),
      ...(typeof attempt === 'number' && { [ATTRIBUTE.attempt]: attempt }),
      ...(runId !== undefined && { [ATTRIBUTE.runId]: short(runId)! }),
      ...(this.settings.content && { [CONTENT.message]: recorded(message) }),
    })
  }

  /** Counts a further try: of the model, unless this is a tool. */
  protected retried(_code: string): void {
    const { instruments, agentName } = this.settings
    const about = { [ATTRIBUTE.operation]: OPERATION.chat, [ATTRIBUTE.agent]: agentName }
    instruments.count('retries', given(about))
  }

  protected set(attributes: Maybe): void {
    this.span.setAttributes(given(attributes))
  }

  /** The words of an error may hold what was asked or answered. */
  #fail(type: string, error: unknown): void {
    const message = this.settings.content ? errorText(error) : undefined
    this.span.setAttribute(ATTRIBUTE.error, type)
    this.span.setStatus({
      code: SpanStatusCode.ERROR,
      ...(message !== undefined && { message }),
    })
  }
}

/** Without what is not known. */
export function given(attributes: Maybe): Attributes {
  const known: Attributes = {}
  for (const name in attributes) {
    const value = attributes[name]
    if (value !== undefined) known[name] = value
  }
  return known
}

const NO_LINKS: Link[] = []
const LONGEST_ID = 256

/** Ids and names of strangers, cut where they would be a burden. */
export const short = (text: string | undefined, most = LONGEST_ID): string | undefined =>
  text === undefined || text.length <= most ? text : text.slice(0, most).toWellFormed()

export const seconds = (ms: number): number => ms / 1000

let known: { readonly provider: TracerProvider; readonly tracer: Tracer } | undefined

/** A tracer works also if it was taken before the SDK started. */
function tracer(): Tracer {
  const provider = trace.getTracerProvider()
  if (known?.provider !== provider)
    known = { provider, tracer: provider.getTracer(SCOPE.name, SCOPE.version) }
  return known.tracer
}

function idsOf(span: Span): { readonly [key: string]: string } {
  const ids = span.spanContext()
  if (!isSpanContextValid(ids)) return {}
  const flags = ids.traceFlags.toString(16).padStart(2, '0')
  return { [LOG.trace]: ids.traceId, [LOG.span]: ids.spanId, [LOG.flags]: flags }
}

/** Where something stands that has nothing of ours around it. */
export const ambient = (): OtelObservation => ({
  context: context.active(),
  hasOwnContext: false,
  run: undefined,
})
