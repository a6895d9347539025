/**
 * What is told to the observer and the logger of a run, and when. Whatever they throw ends here, with one
 * notice per run. Loaded through watcher-of.ts only where somebody watches.
 */
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { notice } from '../errors/notices.ts'
import { redact } from '../errors/redact.ts'
import type { ChatEvent, EmitEvent } from '../messages/chat-event.ts'
import type { Json, JsonObject } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import type { Clock } from '../ports/clock.ts'
import { channelObserver } from './channel-observer.ts'
import { isListenedTo } from './channels.ts'
import { contentOf } from './content-of.ts'
import { loggerOf, type Logger, type LogLevel } from './logger.ts'
import type {
  AnswerOutcome,
  Observation,
  ObservationInfo,
  ObservationOutcome,
  ObservedEvent,
  Observer,
  RefusalCode,
  ToolOutcome,
} from './observer.ts'
import type {
  Watched,
  WatchedAnswer,
  WatchedCall,
  WatchedCallOutcome,
  Waited,
  Watcher,
  WatchedRequest,
  Watching,
} from './watcher.ts'

type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never
type Info = Without<ObservationInfo, 'parent'>
/** How something ended, while it is put together: fields are set one by one, because spreading costs more. */
type Ending = { failed: boolean } & {
  -readonly [
    key in Exclude<keyof AnswerOutcome | keyof ToolOutcome, 'kind' | 'failed'>
  ]?: (AnswerOutcome & Omit<ToolOutcome, 'kind'>)[key]
}
type Told = { -readonly [key in keyof Info]: Info[key] } & { parent?: Observation }
const ENDED: Ending = { failed: false }
/** Made only for who asks for content. */
type Content = () => object

interface Audience {
  readonly observers: readonly Observer[]
  readonly logger: Logger | undefined
  readonly clock: Clock
  /** Takes the notice that watching failed; taken away once it was used. */
  tell: EmitEvent | undefined
}

export function watcher(
  { observer, logger, clock }: Watching,
  tell: EmitEvent | undefined,
): Watcher {
  const given = (observer ?? []) as Observer | readonly Observer[]
  const observers = [given, isListenedTo() ? channelObserver : []].flat()
  return new Outside({ observers, logger: loggerOf(logger), clock, tell })
}

/** Where observations start that stand in no other. */
class Outside implements Watcher {
  protected readonly audience: Audience

  constructor(audience: Audience) {
    this.audience = audience
  }

  client(request: WatchedRequest): Watched {
    const { runId, mode, phase, prompt, signal } = request
    const { provider, model: name } = request.model
    const { conversation } = request.params
    const toolNames = toolNamesIn(prompt.options ?? NO_OPTIONS)
    const info = { kind: 'client' as const, name, runId, mode, phase, provider, toolNames }
    const watched = new Observed(
      this.audience,
      { ...info, ...(conversation !== undefined && { conversation }) },
      { content: () => ({ messages: prompt.messages }), kept: request.resume?.state.observed },
    )
    // Nobody ends what starts after an abort.
    if (signal.aborted) watched.failed(signal.reason)
    const odd = toolNames.filter((each) => !PORTABLE_NAME.test(each))
    if (odd.length > 0) watched.event({ code: 'odd-tool-name', message: ODD_NAMES, data: odd })
    return watched
  }

  async tool<O extends WatchedCallOutcome>(
    { call, runId, definition, refusal, waited }: WatchedCall,
    settle: (watched: Watched) => O | Promise<O>,
  ): Promise<O> {
    const { name, id: callId, arguments: text } = call
    const info = {
      kind: 'tool' as const,
      name,
      callId,
      ...(runId !== undefined && { runId }),
      ...(definition && { definition }),
    }
    const watched = this.start(info, () => ({ arguments: text }))
    if (waited) watched.waited(waited)
    if (text.trim() === '') watched.event({ code: 'blank-arguments', message: BLANK_ARGUMENTS })
    try {
      const outcome = await watched.run(async () => settle(watched))
      watched.called(outcome, refusal)
      return outcome
    } catch (error) {
      watched.failed(error)
      throw error
    }
  }

  protected start(info: Info, content?: Content): Observed {
    return new Observed(this.audience, info, { content })
  }
}

/** Names that every provider takes. */
const PORTABLE_NAME = /^[\w-]{1,64}$/
const ODD_NAMES =
  'Not every provider takes these tool names: use letters, digits, _ and -, at most 64.'
const BLANK_ARGUMENTS = 'The arguments are blank; they count as {}.'

interface Surroundings {
  readonly content?: Content | undefined
  readonly parent?: Observed
  /** What the observers kept of a run that is resumed, by their names. */
  readonly kept?: JsonObject | undefined
}

class Observed extends Outside implements Watched {
  readonly #info: Info
  readonly #parent: Observed | undefined
  /** What is still under way inside. Made with the first. */
  #open: Set<Observed> | undefined
  readonly #startedAt: number
  /** What each observer returned, in their order. */
  readonly #observations: readonly (Observation | undefined)[] = []
  #firstChunkMs: number | undefined
  #ended = false

  constructor(audience: Audience, info: Info, { content, parent, kept }: Surroundings) {
    super(audience)
    this.#info = info
    this.#parent = parent
    this.#startedAt = audience.clock.monotonic()
    // Work that has not heard of an abort yet: who watches has been told the end, and nobody would end this.
    if (parent && parent.#ended) {
      this.#ended = true
      return
    }
    this.#observations = audience.observers.map((observer, index) =>
      this.#tell(() => {
        const told = { ...info } as Told
        const outer = parent && parent.#observations[index]
        if (outer) told.parent = outer
        if (kept) Object.assign(told, keptBy(observer, kept))
        if (observer.content && content) Object.assign(told, content())
        return observer.start(info.kind, told as ObservationInfo) ?? undefined
      }),
    )
    const { logger } = audience
    if (logger)
      this.#log('debug', 'started', () => ({
        ...info,
        ...(logger.content && shownContent(content)),
      }))
    if (parent) (parent.#open ??= new Set()).add(this)
  }

  protected override start(info: Info, content?: Content): Observed {
    const { runId } = this.#info
    const own = runId === undefined ? info : { runId, ...info }
    return new Observed(this.audience, own, { content, parent: this })
  }

  round(round: number): Watched {
    this.#endOpen(ENDED)
    return this.start({ kind: 'round', name: `${round}`, round })
  }

  async advice<Answer extends WatchedAnswer>(
    of: { readonly name: string; readonly order: number } | undefined,
    request: WatchedRequest,
    run: (watched: Watched) => Promise<Answer>,
  ): Promise<Answer> {
    const { messages } = request.prompt
    const info: Info = of ? { kind: 'advisor', name: of.name, order: of.order } : modelInfo(request)
    const watched = this.start(info, () => ({ messages }))
    try {
      const answer = await watched.run(() => run(watched))
      watched.answered(answer)
      return answer
    } catch (error) {
      watched.failed(error)
      throw error
    }
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#around(0, work)
  }

  /** Each observer runs what the later ones run. */
  #around<T>(index: number, work: () => Promise<T>): Promise<T> {
    const observer = this.audience.observers[index]
    if (!observer) return work()
    const inner = (): Promise<T> => this.#around(index + 1, work)
    const observation = this.#observations[index]
    if (!observer.around || !observation) return inner()
    // Once, whatever the observer does.
    let running: Promise<T> | undefined
    const once = (): Promise<T> => (running ??= begun(inner))
    this.#tell(() => {
      const given: unknown = observer.around!(observation, once)
      // What it returns is not looked at: a promise that follows the work's may fail with it.
      if (given !== running) Promise.resolve(given).catch(() => {})
    })
    return once()
  }

  event({ code, message, data }: ObservedEvent): void {
    this.#notice('warn', { code, message, ...(data !== undefined && { data }) })
  }

  kept(): JsonObject | undefined {
    if (this.#parent) return this.#parent.kept()
    const all = this.audience.observers.flatMap(({ name }, index) => {
      const observation = this.#observations[index]
      if (name === undefined || !observation?.keep) return []
      const kept = this.#tell(() => keepable(observation.keep!()))
      return kept === undefined ? [] : [[name, kept] as const]
    })
    return all.length > 0 ? Object.fromEntries(all) : undefined
  }

  chunk(): void {
    this.#firstChunkMs ??= this.audience.clock.monotonic() - this.#startedAt
  }

  emitted(event: ChatEvent): void {
    const noticed = event.type === 'notice' ? observedEvent(event) : undefined
    if (!this.#ended)
      for (const observation of this.#observations) {
        if (observation?.emitted) this.#tell(() => observation.emitted!(event))
        else if (noticed) this.#tell(() => observation?.event?.(noticed))
      }
    if (noticed) this.#logTold('warn', noticed)
  }

  sent(messages: readonly Message[]): void {
    if (this.#ended) return
    const { observers } = this.audience
    this.#observations.forEach((observation, index) => {
      if (observers[index]!.content) this.#tell(() => observation?.sent?.(messages))
    })
  }

  waited({ for: what, ms, behind }: Waited): void {
    const whom = behind ? `, which "${behind.toolName}" had` : ''
    const message = `Waited ${Math.round(ms)} ms for its ${what}${whom}.`
    this.#notice('debug', { code: 'waited', message, data: { for: what, ms, ...behind } })
  }

  retried(attempt: number, error: unknown): void {
    const message = `Attempt ${attempt} failed: ${wordsOf(error)}`
    this.#notice('debug', { code: 'retry', message, data: { attempt } })
  }

  answered({ response, rounds, pending }: WatchedAnswer): void {
    const { usage, model, id } = response
    const finishReason = response.results[0]?.finishReason
    const outcome: Ending = { failed: false, usage, rounds: rounds.length }
    if (finishReason) outcome.finishReason = finishReason
    if (model !== undefined) outcome.model = model
    if (id !== undefined) outcome.responseId = id
    if (pending) outcome.pending = pending.map((call) => call.toolName)
    this.#end(outcome, () => ({ response }))
  }

  called({ response, pending, error }: WatchedCallOutcome, refusal?: RefusalCode): void {
    const outcome: Ending = { failed: response?.isError ?? false }
    if (error !== undefined) outcome.error = error
    if (refusal) {
      outcome.refused = true
      outcome.refusal = refusal
    }
    if (pending) outcome.suspended = true
    this.#end(outcome, () => (response ? { result: response.content } : {}))
  }

  failed(error: unknown): void {
    this.#end({ failed: true, error })
  }

  #end(outcome: Ending, content?: Content): void {
    if (this.#ended) return
    this.#ended = true
    if (this.#open) this.#endOpen(outcome.failed ? outcome : ENDED)
    if (this.#parent) this.#parent.#open?.delete(this)
    const { observers, logger, clock } = this.audience
    const { kind } = this.#info
    const durationMs = clock.monotonic() - this.#startedAt
    const whole: Ending & { readonly kind: string } = { kind, durationMs, ...outcome }
    if (this.#firstChunkMs !== undefined) whole.timeToFirstChunkMs = this.#firstChunkMs
    this.#observations.forEach((observation, index) => {
      if (!observation?.end) return
      const isCurious = observers[index]!.content && content
      this.#tell(() =>
        observation.end!(
          (isCurious ? { ...whole, ...content() } : { ...whole }) as ObservationOutcome,
        ),
      )
    })
    if (logger)
      this.#log(...lineOf(kind, outcome), () => ({
        ...whole,
        ...(logger.content && shownContent(content)),
      }))
  }

  #endOpen(outcome: Ending): void {
    for (const child of this.#open ?? []) child.#end(outcome)
  }

  #notice(level: LogLevel, event: ObservedEvent): void {
    if (!this.#ended)
      for (const observation of this.#observations) this.#tell(() => observation?.event?.(event))
    this.#logTold(level, event)
  }

  #logTold(level: LogLevel, event: ObservedEvent): void {
    this.#log(level, `noticed ${event.code}: ${event.message}`, () => ({ data: event.data }))
  }

  #log(level: LogLevel, what: string, data: () => object): void {
    const { logger } = this.audience
    if (logger)
      this.#tell(() =>
        logger[level](`${this.#info.kind} ${this.#info.name} ${what}`, {
          ...this.#ids(),
          ...logged(data()),
        }),
      )
  }

  /** What joins a line of the log with the others of its run, and with what observers record. */
  #ids(): object {
    const { runId } = this.#info
    const callId = this.#info.kind === 'tool' ? this.#info.callId : undefined
    return Object.assign(
      { runId, ...(callId !== undefined && { callId }) },
      ...this.#observations.map((observation) => observation?.logged),
    ) as object
  }

  #tell<T>(work: () => T): T | undefined {
    try {
      const told = work()
      if (told instanceof Promise) told.catch((thrown: unknown) => this.#watchingFailed(thrown))
      return told
    } catch (thrown) {
      this.#watchingFailed(thrown)
      return undefined
    }
  }

  #watchingFailed(thrown: unknown): void {
    const { tell } = this.audience
    this.audience.tell = undefined
    const message = `The observer or logger failed: ${wordsOf(thrown)}`
    tell?.(notice('observer-failed', message))
  }
}

/** Begins some work; what it throws at once is a rejection. */
function begun<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work()
  } catch (thrown) {
    return Promise.reject(thrown)
  }
}

const MOST_KEPT = 2000

/** A copy as JSON. An observer that keeps more than a few ids would make every state as large. */
function keepable(kept: Json | undefined): Json | undefined {
  if (kept === undefined) return undefined
  const text = JSON.stringify(kept)
  if (text.length > MOST_KEPT)
    throw new RangeError(`keep() gave ${text.length} characters; at most ${MOST_KEPT} are kept.`)
  return JSON.parse(text) as Json
}

const keptBy = ({ name }: Observer, kept: JsonObject | undefined): object =>
  name !== undefined && kept && Object.hasOwn(kept, name) ? { kept: kept[name] } : {}

/** Without where it belongs. */
const observedEvent = ({ code, message, data }: ObservedEvent): ObservedEvent => ({
  code,
  message,
  ...(data !== undefined && { data }),
})

function modelInfo(request: WatchedRequest): Info {
  const { mode, round, prompt } = request
  const { provider, model: name } = request.model
  const { toolNames, options } = shownOptions(prompt.options ?? NO_OPTIONS)
  return { kind: 'model', name, provider, mode, round, toolNames, options }
}

interface ShownOptions {
  readonly toolNames: readonly string[]
  readonly options: { readonly [name: string]: unknown }
}

const NO_OPTIONS = {}
/** The rounds of a run mostly have the same options. */
const shown = new WeakMap<object, ShownOptions>()

function shownOptions(given: object): ShownOptions {
  const known = shown.get(given)
  if (known) return known
  const {
    tools: _tools,
    toolNames: _toolNames,
    toolContext: _toolContext,
    ...options
  } = given as { readonly [name: string]: unknown }
  const made = { toolNames: toolNamesIn(given), options }
  shown.set(given, made)
  return made
}

/** The client has made callbacks of all tools. */
function toolNamesIn(options: object): readonly string[] {
  const { tools = [] } = options as {
    readonly tools?: readonly { readonly definition: { readonly name: string } }[]
  }
  return tools.map((tool) => tool.definition.name)
}

/** A failed run is an error, a call that is not run a warning; all else is debug. */
function lineOf(kind: string, { failed, error, refused }: Ending): readonly [LogLevel, string] {
  if (refused) return ['warn', 'refused']
  if (!failed) return ['debug', 'ended']
  const why = error === undefined ? '' : `: ${wordsOf(error)}`
  return [kind === 'client' ? 'error' : 'debug', `failed${why}`]
}

/** What a line of the log needs besides its words. */
function logged(data: object): { readonly [key: string]: unknown } {
  const {
    kind: _kind,
    name: _name,
    definition: _definition,
    options: _options,
    error: _error,
    failed: _failed,
    ...rest
  } = data as { readonly [key: string]: unknown }
  return rest
}

/** Loggers write where others read: what they get of content is a copy without secrets. */
const shownContent = (content: Content | undefined): object =>
  content ? (contentOf(content()) as object) : {}

const wordsOf = (thrown: unknown): string => redact(messageOfThrown(thrown))
