/**
 * Who is told of one run: its observers, each apart from the others, and its logger. Whatever they throw ends here, with
 * one notice per run. Written out in loops, because this is paid for by every step of a run that is watched.
 */
import { notice } from '../errors/notices.ts'
import type { ChatEvent, EmitEvent } from '../messages/chat-event.ts'
import type { JsonObject } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import type { ObservedFacts } from '../messages/observed-facts.ts'
import type { Clock } from '../ports/clock.ts'
import { keepable } from './keepable.ts'
import { wordsOf } from './log-line.ts'
import type { Logger } from './logger.ts'
import type { Observation, ObservationOutcome, ObservedEvent, Observer } from './observer.ts'
import { OptionsShown } from './shown-options.ts'
import type { Content, Ending, Info, Seats } from './told.ts'
import { Underway } from './underway.ts'
import { Unheard } from './unheard.ts'

export class Audience {
  readonly logger: Logger | undefined
  readonly clock: Clock
  readonly underway: Underway
  readonly #observers: readonly Observer[]
  /** A single observer may have what is told itself; others get copies, so that none sees what another adds. */
  readonly #isOne: boolean
  readonly #hasAround: boolean
  /** Whether an observer or the logger asks for content; if none does, it need not be put together. */
  readonly isCurious: boolean
  /** What is shown of the options of its requests. */
  readonly options = new OptionsShown()
  /** What the observers kept of the run that is resumed, by their names. */
  resumed: JsonObject | undefined
  /** Takes the notice that watching failed; taken away once it was used. */
  #tell: EmitEvent | undefined

  constructor(
    observers: readonly Observer[],
    { logger, clock }: { readonly logger: Logger | undefined; readonly clock: Clock },
    tell: EmitEvent | undefined,
  ) {
    this.#observers = observers
    this.logger = logger
    this.clock = clock
    this.underway = new Underway(clock)
    this.#tell = tell
    this.#isOne = observers.length === 1 && !logger
    let hasAround = false
    let isCurious = logger?.content === true
    for (const { around, content } of observers) {
      if (around !== undefined) hasAround = true
      if (content === true) isCurious = true
    }
    this.#hasAround = hasAround
    this.isCurious = isCurious
  }

  start(info: Info, content: Content, outer: Seats | undefined): Seats {
    const observers = this.#observers
    // Written out for one, because a list that grows has room for more than are there.
    if (observers.length === 1) {
      const told = this.#isOne ? info : { ...info }
      return [this.#seat(observers[0]!, under(told, outer?.[0]), content)]
    }
    return this.#seatAll(info, content, outer)
  }

  /** Apart, because a function that makes closures costs more, also when it makes none. */
  #seatAll(info: Info, content: Content, outer: Seats | undefined): Seats {
    return this.#observers.map((observer, index) =>
      this.#seat(observer, under({ ...info }, outer?.[index]), content),
    )
  }

  #seat(observer: Observer, told: Info, content: Content): Observation | undefined {
    try {
      const { parent } = told
      if (parent?.inside === false) return new Unheard(parent)
      if (this.resumed && told.kind === 'client')
        Object.assign(told, keptBy(observer, this.resumed))
      if (observer.content && content) Object.assign(told, content)
      return this.#heard(observer.start(told.kind, told)) ?? undefined
    } catch (thrown) {
      return this.failed(thrown)
    }
  }

  /** Whether somebody wants to hear of what is inside. */
  isHeardInside(seats: Seats): boolean {
    if (this.logger) return true
    try {
      for (let index = 0; index < seats.length; index++)
        if (seats[index]?.inside !== false) return true
      return false
    } catch (thrown) {
      this.failed(thrown)
      return true
    }
  }

  /** Does some work within `seats`. */
  around<T>(seats: Seats, work: () => T | Promise<T>): Promise<T> {
    return this.#hasAround ? this.#within(seats, 0, work) : begun(work)
  }

  #within<T>(seats: Seats, first: number, work: () => T | Promise<T>): Promise<T> {
    let index = first
    while (index < seats.length && !this.#surrounds(seats, index)) index++
    if (index >= seats.length) return begun(work)
    const isLast = index + 1 >= seats.length
    return this.#surround(seats, index, isLast ? work : this.#further(seats, index + 1, work))
  }

  /** Apart, because a function that makes closures costs more, also when it makes none. */
  #further<T>(seats: Seats, next: number, work: () => T | Promise<T>): () => Promise<T> {
    return () => this.#within(seats, next, work)
  }

  /** The observer runs it: once, whatever it does. */
  #surround<T>(seats: Seats, index: number, work: () => T | Promise<T>): Promise<T> {
    let running: Promise<T> | undefined
    const once = (): Promise<T> => (running ??= begun(work))
    try {
      const given: unknown = this.#observers[index]!.around!(seats[index]!, once)
      // What it returns is not looked at: a promise that follows the work's may fail with it.
      if (given !== running) ignoreFailure(given)
    } catch (thrown) {
      this.failed(thrown)
    }
    return running ?? once()
  }

  #surrounds(seats: Seats, index: number): boolean {
    const observation = seats[index]
    return (
      observation !== undefined &&
      this.#observers[index]!.around !== undefined &&
      !(observation instanceof Unheard)
    )
  }

  end(seats: Seats, outcome: Ending, content: Content): void {
    for (let index = 0; index < seats.length; index++) {
      const observation = seats[index]
      try {
        if (!observation?.end) continue
        const isCurious = content !== undefined && this.#observers[index]!.content === true
        const told = isCurious ? { ...outcome, ...content } : this.#isOne ? outcome : { ...outcome }
        this.#heard(observation.end(told as ObservationOutcome))
      } catch (thrown) {
        this.failed(thrown)
      }
    }
  }

  event(seats: Seats, event: ObservedEvent): void {
    for (const observation of seats) this.try(() => observation?.event?.(event))
  }

  facts(seats: Seats, facts: ObservedFacts): void {
    for (const observation of seats) this.try(() => observation?.facts?.({ ...facts }))
  }

  /** Whether an observer takes all events of the run. Asked once, so that they cost nothing where none does. */
  takesEvents(seats: Seats): boolean {
    return seats.some((observation) => this.try(() => observation?.emitted) !== undefined)
  }

  /** `noticed`: the same as an event for those who do not take all. */
  emitted(seats: Seats, event: ChatEvent, noticed: ObservedEvent | undefined): void {
    for (let index = 0; index < seats.length; index++) {
      const observation = seats[index]
      try {
        // A copy: the readers of the run get the event itself.
        if (observation?.emitted) this.#heard(observation.emitted({ ...event }))
        else if (noticed) this.event([observation], noticed)
      } catch (thrown) {
        this.failed(thrown)
      }
    }
  }

  /** Asked once for each streamed answer, so that its pieces cost nothing where nobody asks for them. */
  wantsChunks(seats: Seats): boolean {
    return seats.some((observation) => this.try(() => observation?.chunk) !== undefined)
  }

  chunk(seats: Seats, ms: number): void {
    for (const observation of seats) {
      try {
        this.#heard(observation?.chunk?.(ms))
      } catch (thrown) {
        this.failed(thrown)
      }
    }
  }

  sent(seats: Seats, messages: readonly Message[]): void {
    if (!this.isCurious) return
    for (const [index, observation] of seats.entries())
      if (this.#observers[index]!.content) this.try(() => observation?.sent?.(messages))
  }

  /** What the observers want to have back, by their names. */
  kept(seats: Seats): JsonObject | undefined {
    const all = this.#observers.flatMap(({ name }, index) => {
      if (name === undefined) return []
      const kept = this.try(() => keepable(this.#heard(seats[index]?.keep?.())))
      return kept === undefined ? [] : [[name, kept] as const]
    })
    return all.length > 0 ? Object.fromEntries(all) : undefined
  }

  try<T>(work: () => T): T | undefined {
    try {
      return this.#heard(work())
    } catch (thrown) {
      return this.failed(thrown)
    }
  }

  failed(thrown: unknown): undefined {
    const tell = this.#tell
    this.#tell = undefined
    tell?.(notice('observer-failed', `The observer or logger failed: ${wordsOf(thrown)}`))
  }

  /** Observers return nothing to wait for, but some are async functions. */
  #heard<T>(told: T): T {
    if (told instanceof Promise) told.catch((thrown: unknown) => this.failed(thrown))
    return told
  }
}

function under(told: Info, parent: Observation | undefined): Info {
  if (parent) told.parent = parent
  return told
}

/** Begins some work; what it throws at once is a rejection. */
function begun<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    const done = work()
    return done instanceof Promise ? done : Promise.resolve(done)
  } catch (thrown) {
    return Promise.reject(thrown)
  }
}

const ignoreFailure = (given: unknown): void => void Promise.resolve(given).catch(() => {})

const keptBy = ({ name }: Observer, kept: JsonObject): object =>
  name !== undefined && Object.hasOwn(kept, name) ? { kept: kept[name] } : {}
