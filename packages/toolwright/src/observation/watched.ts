/**
 * What is told of a run, and when: things start, nest, and end once, inner ones before outer ones. Loaded through
 * watcher-of.ts only where a run has an observer or a logger.
 */
import { RunLimitError } from '../errors/errors.ts'
import { redact } from '../errors/redact.ts'
import type { ChatEvent, EmitEvent } from '../messages/chat-event.ts'
import type { JsonObject } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import type { ObservedFacts } from '../messages/observed-facts.ts'
import type { PendingCall } from '../messages/run-state.ts'
import { Audience } from './audience.ts'
import { channelObserver } from './channel-observer.ts'
import { isListenedTo } from './channels.ts'
import { contentOf } from './content-of.ts'
import { lineOf, logged, shownContent, wordsOf } from './log-line.ts'
import { loggerOf, type LogLevel } from './logger.ts'
import type { ObservedEvent, Observer, RefusalCode } from './observer.ts'
import { definitionsIn, offeredIn } from './shown-options.ts'
import type { Content, Ending, Info, Seats } from './told.ts'
import type { Part } from './underway.ts'
import type {
  Advising,
  Watched,
  WatchedAnswer,
  WatchedCall,
  WatchedCallOutcome,
  Waited,
  Watcher,
  WatchedRequest,
  Watching,
} from './watcher.ts'

export function watcher(
  { observer, logger, clock }: Watching,
  tell: EmitEvent | undefined,
): Watcher {
  const given = observersIn(observer)
  const observers = isListenedTo() ? [...given, channelObserver] : given
  return new Outside(new Audience(observers, { logger: loggerOf(logger), clock }, tell))
}

function observersIn(given: Watching['observer']): readonly Observer[] {
  if (given === undefined) return []
  return Array.isArray(given) ? (given as readonly Observer[]) : [given as Observer]
}

/** Where observations start that stand in no other. */
class Outside implements Watcher {
  protected readonly audience: Audience

  constructor(audience: Audience) {
    this.audience = audience
  }

  client(request: WatchedRequest): Watched {
    const { runId, mode, phase, prompt, resume } = request
    const { provider, model: name, asksNobody } = request.model
    const { conversation } = request.params
    const { audience } = this
    const { toolNames, oddNames } = offeredIn(prompt.options)
    const info: Info = { kind: 'client', name, runId, mode, phase, provider, toolNames }
    if (conversation !== undefined) info.conversation = conversation
    audience.resumed = resume?.state.observed
    const watched = this.start(info, audience.isCurious ? { messages: prompt.messages } : undefined)
    if (oddNames && !asksNobody)
      watched.event({ code: 'odd-tool-name', message: ODD_NAMES, data: oddNames })
    return watched
  }

  tool({ call, runId, definition, edited, waited }: WatchedCall): Watched | undefined {
    const { name, id: callId } = call
    const text = edited === undefined ? call.arguments : JSON.stringify(edited)
    const info: Info = { kind: 'tool', name, callId }
    if (runId !== undefined) info.runId = runId
    if (definition) info.definition = definition
    if (edited !== undefined) info.edited = true
    const watched = this.start(info, this.audience.isCurious ? { arguments: text } : undefined)
    if (waited) watched.waited(waited)
    if (text.trim() === '') watched.event({ code: 'blank-arguments', message: BLANK_ARGUMENTS })
    return watched
  }

  protected start(info: Info, content?: Content): Observed {
    const watched = new Observed(this.audience, info)
    watched.begin(content)
    return watched
  }
}

const ODD_NAMES =
  'Not every provider takes these tool names: use letters, digits, _ and -, at most 64.'
const BLANK_ARGUMENTS = 'The arguments are blank; they count as {}.'

const NO_SEATS: Seats = []

class Observed extends Outside implements Watched, Part {
  /** Whether it has ended; nothing is told of it after that. */
  isOver = false
  readonly #info: Info
  readonly #kind: Info['kind']
  readonly #parent: Observed | undefined
  readonly #startedAt: number
  #seats = NO_SEATS
  /** No observer takes what is inside, so that it takes the same way as without watching. */
  #isUnheard = false
  /** Of a run: whether an observer takes all its events, and not only the notices. */
  #takesEvents = false
  /** How many parts right inside of it have started and not ended. */
  #openInside = 0
  /** Of an answer that is streamed. */
  #chunks: { readonly firstMs: number; lastAt: number } | undefined

  constructor(audience: Audience, info: Info, parent?: Observed) {
    super(audience)
    this.#info = info
    this.#kind = info.kind
    this.#parent = parent
    this.#startedAt = audience.underway.now()
  }

  begin(content: Content): void {
    const { audience } = this
    const parent = this.#parent
    // The work around it was aborted and its end was told, but this part of it has not heard of that yet. It is not told:
    // an observer would never hear of its end.
    this.isOver = parent !== undefined && parent.isOver
    if (this.isOver) return
    this.#seats = audience.start(this.#info, content, parent && parent.#seats)
    this.#isUnheard = !audience.isHeardInside(this.#seats)
    if (this.#kind === 'client') this.#takesEvents = audience.takesEvents(this.#seats)
    if (audience.logger) this.#logStart(content)
    if (parent) parent.#openInside++
    audience.underway.started(this)
  }

  protected override start(info: Info, content?: Content): Observed {
    const { runId } = this.#info
    if (info.runId === undefined && runId !== undefined) info.runId = runId
    const watched = new Observed(this.audience, info, this)
    watched.begin(content)
    return watched
  }

  override tool(call: WatchedCall): Watched | undefined {
    return this.#isUnheard ? undefined : super.tool(call)
  }

  isIn(outer: Part): boolean {
    let around = this.#parent
    while (around && around !== outer) around = around.#parent
    return around !== undefined
  }

  round(round: number): Watched | undefined {
    if (this.#isUnheard) return undefined
    const { underway } = this.audience
    underway.turn()
    if (this.#openInside > 0) underway.endInside(this, ended())
    const started = this.start({ kind: 'round', name: `${round}`, round })
    underway.turned()
    return started
  }

  advice(of: Advising | undefined, request: WatchedRequest): Watched | undefined {
    if (this.#isUnheard) return undefined
    const info: Info = of
      ? { kind: 'advisor', name: of.name, order: of.order }
      : this.#modelInfo(request)
    return this.start(info, this.audience.isCurious ? askedContent(info, request) : undefined)
  }

  #modelInfo({ mode, round, prompt, model }: WatchedRequest): Info {
    const { provider, model: name, server } = model
    const { toolNames, options } = this.audience.options.of(prompt.options, model.options)
    const info: Info = { kind: 'model', name, provider, mode, round, toolNames, options }
    if (server) info.server = server
    return info
  }

  run<T>(work: () => T | Promise<T>): Promise<T> {
    return this.audience.around(this.#seats, work)
  }

  event({ code, message, data }: ObservedEvent): void {
    this.#notice('warn', { code, message, ...(data !== undefined && { data }) })
  }

  kept(): JsonObject | undefined {
    return this.#parent ? this.#parent.kept() : this.audience.kept(this.#seats)
  }

  chunk(): boolean {
    const { audience } = this
    const now = audience.clock.monotonic()
    const chunks = this.#chunks
    if (!chunks) {
      this.#chunks = { firstMs: now - this.#startedAt, lastAt: now }
      return audience.wantsChunks(this.#seats)
    }
    if (!this.isOver) audience.chunk(this.#seats, now - chunks.lastAt)
    chunks.lastAt = now
    return true
  }

  emitted(event: ChatEvent): void {
    if (event.type === 'notice') this.#noticed(event)
    else if (this.#takesEvents && !this.isOver) this.audience.emitted(this.#seats, event, undefined)
  }

  #noticed(event: Extract<ChatEvent, { readonly type: 'notice' }>): void {
    const noticed = observedEvent(event, this.#info.runId)
    if (!this.isOver) this.audience.emitted(this.#seats, event, noticed)
    this.#logTold('warn', noticed)
  }

  sent(messages: readonly Message[]): void {
    if (!this.isOver) this.audience.sent(this.#seats, messages)
  }

  facts(facts: ObservedFacts): void {
    if (!this.isOver) this.audience.facts(this.#seats, facts)
  }

  waited({ for: what, ms, behind }: Waited): void {
    const whom = behind ? `, which "${behind.toolName}" had` : ''
    const message = `Waited ${Math.round(ms)} ms for its ${what}${whom}.`
    this.#notice('debug', { code: 'waited', message, data: { for: what, ms, ...behind } })
  }

  retried(attempt: number, error: unknown, advisor?: string): void {
    // An advisor without an observation of its own asks with the request of what is around it, which tried nothing again.
    if (this.#isUnheard && advisor !== undefined && advisor !== this.#info.name) return
    const message = `Attempt ${attempt} failed: ${wordsOf(error)}`
    this.#notice('debug', { code: 'retry', message, data: { attempt } })
  }

  answered(answer: WatchedAnswer): void {
    let outcome: Ending
    try {
      outcome = outcomeOf(answer, this.#kind)
    } catch (thrown) {
      return this.failed(thrown)
    }
    this.#end(outcome, this.audience.isCurious ? { response: answer.response } : undefined)
  }

  called({ response, pending, error }: WatchedCallOutcome, refusal?: RefusalCode): void {
    const outcome: Ending = { kind: '', durationMs: 0, failed: response?.isError ?? false }
    if (error !== undefined) outcome.error = error
    if (refusal) {
      outcome.refused = true
      outcome.refusal = refusal
    }
    if (pending) {
      outcome.suspended = true
      outcome.pending = pending.flatMap(toolNameOf)
    }
    const isShown = response !== undefined && this.audience.isCurious
    this.#end(outcome, isShown ? { result: response.content } : undefined)
  }

  failed(error: unknown): void {
    this.#end(failedWith(error))
  }

  /** `around`: how what ends this ended, if that is not the same. */
  #end(outcome: Ending, content?: Content, around = outcome): void {
    if (this.isOver) return
    this.isOver = true
    const { audience } = this
    const { underway } = audience
    underway.turn()
    if (this.#openInside > 0) underway.endInside(this, around)
    if (this.#parent) this.#parent.#openInside--
    outcome.kind = this.#kind
    outcome.durationMs = underway.now() - this.#startedAt
    underway.ended()
    underway.turned()
    if (this.#chunks) outcome.timeToFirstChunkMs = this.#chunks.firstMs
    audience.end(this.#seats, outcome, content)
    if (audience.logger) this.#logEnd(outcome, content, around !== outcome)
  }

  /** A round always ends so; anything else was still under way. */
  endIn(around: Ending): void {
    if (around.failed) this.#end(failedWith(around.error), undefined, around)
    else if (this.#kind === 'round') this.#end(ended(), undefined, around)
    else this.#end(around.finishReason === 'limit' ? timeWasUp() : ended())
  }

  #notice(level: LogLevel, event: ObservedEvent): void {
    if (!this.isOver) this.audience.event(this.#seats, event)
    this.#logTold(level, event)
  }

  /** What advisors and tools say in notices may quote anything. */
  #logTold(level: LogLevel, { code, message, data }: ObservedEvent): void {
    if (this.audience.logger)
      this.#log(level, `noticed ${code}: ${redact(message)}`, () => ({ data: contentOf(data) }))
  }

  // The two are apart, because a function that makes closures costs more, also when it makes none.
  #logStart(content: Content): void {
    this.#log('debug', 'started', () => ({ ...this.#info, ...this.#shown(content) }))
  }

  #logEnd(outcome: Ending, content: Content, isBrokenOff: boolean): void {
    this.#log(...lineOf(this.#kind, outcome, isBrokenOff), () => ({
      ...outcome,
      ...this.#shown(content),
    }))
  }

  #shown(content: Content): object | undefined {
    return this.audience.logger?.content ? shownContent(content) : undefined
  }

  #log(level: LogLevel, what: string, data: () => object): void {
    const { audience } = this
    const { logger } = audience
    if (logger)
      audience.try(() =>
        logger[level](`${this.#kind} ${this.#info.name} ${what}`, {
          ...this.#ids(),
          ...logged(data()),
        }),
      )
  }

  /** What joins a line of the log with the others of its run, and with what observers record. */
  #ids(): object {
    const callId = this.#info.kind === 'tool' ? this.#info.callId : undefined
    return Object.assign(
      { runId: this.#info.runId, ...(callId !== undefined && { callId }) },
      ...this.#seats.map((observation) => observation?.logged),
    ) as object
  }
}

function askedContent({ kind }: Info, { prompt: { messages, options } }: WatchedRequest): object {
  return kind === 'model' ? { messages, tools: definitionsIn(options) } : { messages }
}

/** Throws where an advisor has answered with something else. */
function outcomeOf({ response, rounds, pending }: WatchedAnswer, kind: Info['kind']): Ending {
  const { usage, model, id } = response
  const finishReason = response.results[0]?.finishReason
  const outcome: Ending = {
    kind: '',
    durationMs: 0,
    failed: false,
    usage,
  }
  // One exchange is one round, whichever it is.
  if (kind !== 'model') outcome.rounds = rounds.length
  if (finishReason) outcome.finishReason = finishReason
  if (model !== undefined) outcome.model = model
  if (id !== undefined) outcome.responseId = id
  if (Array.isArray(pending)) outcome.pending = pending.flatMap(toolNameOf)
  return outcome
}

/** An advisor may return anything beside its answer. */
const toolNameOf = (call: PendingCall | undefined): readonly string[] =>
  typeof call?.toolName === 'string' ? [call.toolName] : []

const ended = (): Ending => ({ kind: '', durationMs: 0, failed: false })
const failedWith = (error: unknown): Ending => ({ kind: '', durationMs: 0, failed: true, error })

/** The run was answered with what it had. */
const timeWasUp = (): Ending =>
  failedWith(
    new RunLimitError(
      'runTimeoutMs',
      'The time of the run was up before this had ended. It may have had an effect.',
    ),
  )

/** Without where it belongs, unless that is a run inside. */
const observedEvent = (
  { code, message, data, runId }: ObservedEvent,
  own: string | undefined,
): ObservedEvent => ({
  code,
  message,
  ...(data !== undefined && { data }),
  ...(runId !== undefined && runId !== own && { runId }),
})
