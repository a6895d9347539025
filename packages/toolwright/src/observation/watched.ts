/**
 * What is told of a run, and when: things start, nest, and end once, inner ones before outer ones. Loaded through
 * watcher-of.ts only where a run has an observer or a logger.
 */
import { RunLimitError } from '../errors/errors.ts'
import type { ChatEvent, EmitEvent } from '../messages/chat-event.ts'
import type { JsonObject } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import type { ObservedFacts } from '../messages/observed-facts.ts'
import type { PendingCall } from '../messages/run-state.ts'
import { Audience } from './audience.ts'
import { channelObserver } from './channel-observer.ts'
import { isListenedTo } from './channels.ts'
import { lineOf, logged, shownContent, wordsOf } from './log-line.ts'
import { loggerOf, type LogLevel } from './logger.ts'
import type { ObservedEvent, Observer, RefusalCode } from './observer.ts'
import { definitionsIn, offeredIn } from './shown-options.ts'
import type { Content, Ending, Info, Seats } from './told.ts'
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
    const { runId, mode, phase, prompt, signal, resume } = request
    const { provider, model: name, asksNobody } = request.model
    const { conversation } = request.params
    const { audience } = this
    const { toolNames, oddNames } = offeredIn(prompt.options)
    const info: Info = { kind: 'client', name, runId, mode, phase, provider, toolNames }
    if (conversation !== undefined) info.conversation = conversation
    audience.resumed = resume?.state.observed
    const watched = this.start(info, audience.isCurious ? { messages: prompt.messages } : undefined)
    // Nobody ends what starts after an abort.
    if (signal.aborted) watched.failed(signal.reason)
    if (oddNames && !asksNobody)
      watched.event({ code: 'odd-tool-name', message: ODD_NAMES, data: oddNames })
    return watched
  }

  tool({ call, runId, definition, waited }: WatchedCall): Watched | undefined {
    const { name, id: callId, arguments: text } = call
    const info: Info = { kind: 'tool', name, callId }
    if (runId !== undefined) info.runId = runId
    if (definition) info.definition = definition
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

class Observed extends Outside implements Watched {
  readonly #info: Info
  readonly #kind: Info['kind']
  readonly #parent: Observed | undefined
  readonly #startedAt: number
  #seats = NO_SEATS
  /** No observer takes what is inside, so that it takes the same way as without watching. */
  #isUnheard = false
  #firstChunkMs: number | undefined
  #lastChunkAt: number | undefined
  #ended = false
  /** While it ends or turns to its next round: what ends and starts inside has one reading of the clock in common. */
  #isTurning = false
  #turnedAt: number | undefined
  /** What is still under way inside, as a list: its newest, and what each has before and after it. */
  #newest: Observed | undefined
  #before: Observed | undefined
  #after: Observed | undefined

  constructor(audience: Audience, info: Info, parent?: Observed) {
    super(audience)
    this.#info = info
    this.#kind = info.kind
    this.#parent = parent
    this.#startedAt = this.#now()
  }

  begin(content: Content): void {
    const { audience } = this
    const { logger } = audience
    const parent = this.#parent
    const info = this.#info
    // The work around it was aborted and its end was told, but this part of it has not heard of that yet. It is not told:
    // an observer would never hear of its end.
    this.#ended = parent !== undefined && parent.#ended
    if (this.#ended) return
    this.#seats = audience.start(info, content, parent && parent.#seats)
    this.#isUnheard = !audience.isHeardInside(this.#seats)
    if (logger)
      this.#log('debug', 'started', () => ({
        ...info,
        ...(logger.content && shownContent(content)),
      }))
    if (parent) parent.#opened(this)
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

  /** Read once for all that ends and starts at one turn of what is around it. */
  #now(): number {
    const parent = this.#parent
    if (parent === undefined || !parent.#isTurning) return this.audience.clock.monotonic()
    return (parent.#turnedAt ??= parent.#now())
  }

  #opened(child: Observed): void {
    const before = this.#newest
    child.#before = before
    if (before) before.#after = child
    this.#newest = child
  }

  #closed(child: Observed): void {
    const before = child.#before
    const after = child.#after
    if (before) before.#after = after
    if (after) after.#before = before
    else if (this.#newest === child) this.#newest = before
  }

  /** Ends what is still open inside, in the order in which it started. */
  #endInside(around: Ending): void {
    let child = this.#newest
    while (child && child.#before) child = child.#before
    while (child) {
      const after: Observed | undefined = child.#after
      child.#endIn(around)
      child = after
    }
  }

  round(round: number): Watched | undefined {
    if (this.#isUnheard) return undefined
    this.#isTurning = true
    if (this.#newest) this.#endInside(ended())
    const started = this.start({ kind: 'round', name: `${round}`, round })
    this.#isTurning = false
    this.#turnedAt = undefined
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
    const before = this.#lastChunkAt
    this.#lastChunkAt = now
    if (before === undefined) this.#firstChunkMs = now - this.#startedAt
    else if (!this.#ended) audience.chunk(this.#seats, now - before)
    return before !== undefined || audience.wantsChunks(this.#seats)
  }

  emitted(event: ChatEvent): void {
    const noticed = event.type === 'notice' ? observedEvent(event, this.#info.runId) : undefined
    if (!this.#ended) this.audience.emitted(this.#seats, event, noticed)
    if (noticed) this.#logTold('warn', noticed)
  }

  sent(messages: readonly Message[]): void {
    if (!this.#ended) this.audience.sent(this.#seats, messages)
  }

  facts(facts: ObservedFacts): void {
    if (!this.#ended) this.audience.facts(this.#seats, facts)
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
      outcome = outcomeOf(answer)
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
    if (pending) outcome.suspended = true
    const isShown = response !== undefined && this.audience.isCurious
    this.#end(outcome, isShown ? { result: response.content } : undefined)
  }

  failed(error: unknown): void {
    this.#end(failedWith(error))
  }

  /** `around`: how what ends this ended, if that is not the same. */
  #end(outcome: Ending, content?: Content, around = outcome): void {
    if (this.#ended) return
    this.#ended = true
    this.#isTurning = true
    if (this.#newest) this.#endInside(around)
    if (this.#parent) this.#parent.#closed(this)
    const { audience } = this
    outcome.kind = this.#kind
    outcome.durationMs = (this.#turnedAt ?? this.#now()) - this.#startedAt
    if (this.#firstChunkMs !== undefined) outcome.timeToFirstChunkMs = this.#firstChunkMs
    audience.end(this.#seats, outcome, content)
    const { logger } = audience
    if (logger)
      this.#log(...lineOf(this.#kind, outcome, around !== outcome), () => ({
        ...outcome,
        ...(logger.content && shownContent(content)),
      }))
  }

  /** Ends with what is around it. A round always ends so; anything else was still under way. */
  #endIn(around: Ending): void {
    if (around.failed) this.#end(failedWith(around.error), undefined, around)
    else if (this.#kind === 'round') this.#end(ended(), undefined, around)
    else this.#end(around.finishReason === 'limit' ? timeWasUp() : ended())
  }

  #notice(level: LogLevel, event: ObservedEvent): void {
    if (!this.#ended) this.audience.event(this.#seats, event)
    this.#logTold(level, event)
  }

  #logTold(level: LogLevel, event: ObservedEvent): void {
    this.#log(level, `noticed ${event.code}: ${event.message}`, () => ({ data: event.data }))
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
function outcomeOf({ response, rounds, pending }: WatchedAnswer): Ending {
  const { usage, model, id } = response
  const finishReason = response.results[0]?.finishReason
  const outcome: Ending = {
    kind: '',
    durationMs: 0,
    failed: false,
    usage,
    rounds: rounds.length,
  }
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
