/**
 * What is told to the observer and the logger of a run, and when. Whatever they throw ends here, with one
 * notice per run. Loaded through watcher-of.ts only where somebody watches.
 */
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { notice } from '../errors/notices.ts'
import { redact } from '../errors/redact.ts'
import type { ChatEvent, EmitEvent } from '../messages/chat-event.ts'
import type { Message } from '../messages/message.ts'
import type { Clock } from '../ports/clock.ts'
import { loggerOf, type Logger, type LogLevel } from './logger.ts'
import type {
  Observation,
  ObservationInfo,
  ObservationOutcome,
  ObservedEvent,
  Observer,
  RefusalCode,
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
type Outcome = Partial<Without<ObservationOutcome, 'kind' | 'durationMs'>>
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
  const observers = Array.isArray(observer) ? observer : observer ? [observer] : []
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
    const toolNames = toolNamesOf(request)
    const info = { kind: 'client' as const, name, runId, mode, phase, provider, toolNames }
    const watched = this.start(
      { ...info, ...(conversation !== undefined && { conversation }) },
      () => ({
        messages: prompt.messages,
      }),
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

class Observed extends Outside implements Watched {
  readonly #info: Info
  readonly #parent: Observed | undefined
  readonly #open = new Set<Observed>()
  readonly #startedAt: number
  /** What each observer returned, in their order. */
  readonly #observations: readonly (Observation | undefined)[] = []
  #ended = false

  constructor(
    audience: Audience,
    info: Info,
    { content, parent }: { readonly content?: Content | undefined; readonly parent?: Observed },
  ) {
    super(audience)
    this.#info = info
    this.#parent = parent
    this.#startedAt = audience.clock.monotonic()
    // Work that has not heard of an abort yet: who watches has been told the end, and nobody would end this.
    if (parent && parent.#ended) {
      this.#ended = true
      return
    }
    this.#observations = audience.observers.map((observer, index) => {
      const outer = parent && parent.#observations[index]
      const told = (): ObservationInfo =>
        ({
          ...info,
          ...(outer && { parent: outer }),
          ...(observer.content && content?.()),
        }) as ObservationInfo
      return this.#tell(() => observer.start(info.kind, told())) ?? undefined
    })
    this.#log('debug', 'started', () => ({ ...info, ...(audience.logger?.content && content?.()) }))
    if (parent) parent.#open.add(this)
  }

  protected override start(info: Info, content?: Content): Observed {
    const { runId } = this.#info
    const own = runId === undefined ? info : { runId, ...info }
    return new Observed(this.audience, own, { content, parent: this })
  }

  round(round: number): Watched {
    this.#endOpen({})
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
    const once = (): Promise<T> => (running ??= (async () => inner())())
    // What it returns is not looked at: a promise that follows the work's may fail with it.
    this.#tell(() => void Promise.resolve(observer.around!(observation, once)).catch(() => {}))
    return once()
  }

  event({ code, message, data }: ObservedEvent): void {
    this.#notice('warn', { code, message, ...(data !== undefined && { data }) })
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
    const outcome: Outcome = {
      ...(finishReason && { finishReason }),
      usage,
      rounds: rounds.length,
      ...(model !== undefined && { model }),
      ...(id !== undefined && { responseId: id }),
      ...(pending && { pending: pending.map((call) => call.toolName) }),
    }
    this.#end(outcome, () => ({ response }))
  }

  called({ response, pending, error }: WatchedCallOutcome, refusal?: RefusalCode): void {
    const outcome: Outcome = {
      failed: response?.isError ?? false,
      ...(error !== undefined && { error }),
      ...(refusal && { refused: true, refusal }),
      ...(pending && { suspended: true }),
    }
    this.#end(outcome, () => (response ? { result: response.content } : {}))
  }

  failed(error: unknown): void {
    this.#end({ failed: true, error })
  }

  #end(outcome: Outcome, content?: Content): void {
    if (this.#ended) return
    this.#ended = true
    this.#endOpen(outcome.failed ? outcome : {})
    if (this.#parent) this.#parent.#open.delete(this)
    const { observers, logger, clock } = this.audience
    const { kind } = this.#info
    const durationMs = clock.monotonic() - this.#startedAt
    const whole = { kind, durationMs, failed: false, ...outcome }
    this.#observations.forEach((observation, index) => {
      const told = (): object => ({ ...whole, ...(observers[index]!.content && content?.()) })
      this.#tell(() => observation?.end?.(told() as ObservationOutcome))
    })
    this.#log(...lineOf(kind, outcome), () => ({ ...whole, ...(logger?.content && content?.()) }))
  }

  #endOpen(outcome: Outcome): void {
    for (const child of this.#open) child.#end(outcome)
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
    const { kind, name, runId } = this.#info
    this.#tell(() => logger?.[level](`${kind} ${name} ${what}`, { runId, ...logged(data()) }))
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

/** Without where it belongs. */
const observedEvent = ({ code, message, data }: ObservedEvent): ObservedEvent => ({
  code,
  message,
  ...(data !== undefined && { data }),
})

function modelInfo(request: WatchedRequest): Info {
  const { mode, round, prompt } = request
  const { provider, model: name } = request.model
  const {
    tools: _tools,
    toolNames: _toolNames,
    toolContext: _toolContext,
    ...options
  } = (prompt.options ?? {}) as { readonly [name: string]: unknown }
  return { kind: 'model', name, provider, mode, round, toolNames: toolNamesOf(request), options }
}

/** The client has made callbacks of all tools. */
function toolNamesOf({ prompt }: WatchedRequest): readonly string[] {
  const { tools = [] } = (prompt.options ?? {}) as {
    readonly tools?: readonly { readonly definition: { readonly name: string } }[]
  }
  return tools.map((tool) => tool.definition.name)
}

/** A failed run is an error, a call that is not run a warning; all else is debug. */
function lineOf(
  kind: string,
  { failed, error, refused }: Outcome & { readonly refused?: boolean },
): readonly [LogLevel, string] {
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

const wordsOf = (thrown: unknown): string => redact(messageOfThrown(thrown))
