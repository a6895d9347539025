/** One turn of a conversation: a question, what happens, and its end. It lives on the server, whoever follows it. */
import type { ChatRequest, Decisions, PendingCall, RunResult, RunState } from 'toolwright'
import type { TurnEvent } from '../protocol/conversation.ts'
import type { ShownPending } from '../protocol/shown-content.ts'
import { deniedIn } from '../runs/denied-in.ts'
import { DecidableRun, type RunOutcome, type Waiting } from '../runs/decidable-run.ts'
import type { Warn } from '../server/answer-error.ts'
import type { EventLog } from '../server/event-log.ts'
import { shownError } from '../shown/shown-error.ts'
import { TurnLog } from './turn-log.ts'
import { TurnView } from './turn-view.ts'

/** What a turn is about. JSON, because a suspended run keeps it. */
export interface TurnFacts {
  readonly turn: string
  readonly text: string
  /** The id of a model. */
  readonly model: string
  /** It takes the place of these messages, which answered the question before. */
  readonly replaces?: { readonly from: number; readonly count: number }
  /** The number of its question, which is kept from the beginning on. Absent: it was asked before. */
  readonly asked?: number
}

export interface TurnOptions {
  readonly facts: TurnFacts
  /** See `TurnLog`. */
  readonly firstEvent: number
  readonly warn: Warn
  resume(state: RunState, decisions: Decisions): ChatRequest
  discard(state: RunState): Promise<void>
  shown(pending: readonly PendingCall[]): Promise<readonly ShownPending[]>
  /** Keeps what was said. Its failure is that of the turn. */
  keep(result: RunResult): Promise<void>
  /** Puts the conversation back to what it was before. */
  forget(): Promise<void>
  /** Its status has changed. */
  onChange(turn: Turn): void
}

export class Turn {
  readonly facts: TurnFacts
  readonly #options: TurnOptions
  #startedAt = Date.now()
  readonly #log: TurnLog
  readonly #denied = new Set<string>()
  readonly #run: DecidableRun
  /** When it last went on; nothing while it waits for a person, which does not count. */
  #since: number | undefined
  #ranFor = 0
  #isLeaving = false
  /** Readers have been told what it waits for. */
  #hasAsked = false

  constructor(options: TurnOptions) {
    this.facts = options.facts
    this.#options = options
    this.#log = new TurnLog(options.firstEvent)
    const view = new TurnView(this.#log, this.#denied)
    this.#run = new DecidableRun({
      resume: options.resume,
      discard: options.discard,
      onEvent: (event) => view.show(event),
      onPending: (pending) => this.#wait(pending),
      onResumed: (decisions, pending) => this.#goOn(decisions, pending),
      onRefused: (error) => this.#log.add({ type: 'decision-refused', error }),
      warn: options.warn,
      onEnd: (outcome) => this.#end(outcome),
    })
    const { turn, text, model } = options.facts
    this.#log.add({ type: 'start', turn, text, model })
  }

  get id(): string {
    return this.facts.turn
  }

  /** When it began; for one of an earlier process, when it began to wait. */
  get startedAt(): number {
    return this.#startedAt
  }

  get status(): 'running' | 'waiting' | 'ended' {
    return this.#run.status
  }

  /** It waits, and nothing more comes before somebody has decided. */
  get isAtRest(): boolean {
    return this.#hasAsked && this.status === 'waiting'
  }

  get pending(): readonly PendingCall[] {
    return this.#run.pending
  }

  get events(): EventLog<TurnEvent> {
    return this.#log.events
  }

  start(request: ChatRequest): void {
    this.#since = performance.now()
    this.#run.start(request)
    this.#options.onChange(this)
  }

  /** Takes up a turn of an earlier process; `tell` says what happened in it. */
  async takeUp(
    waiting: Waiting & { readonly savedAt: number },
    tell: (log: TurnLog) => void,
  ): Promise<void> {
    this.#startedAt = waiting.savedAt
    tell(this.#log)
    await this.#run.wait(waiting)
  }

  decide(requestId: string, decisions: Decisions): Promise<void> {
    return this.#run.decide(requestId, decisions)
  }

  stop(): Promise<void> {
    return this.#run.stop()
  }

  /** The server is closed: what waits goes on waiting, and the question of what ran is kept. */
  async leave(): Promise<void> {
    this.#isLeaving = true
    await this.#run.leave()
    this.#log.end()
  }

  async #wait(pending: readonly PendingCall[]): Promise<() => void> {
    this.#pause()
    const shown = await this.#options.shown(pending)
    return () => {
      this.#log.flush()
      this.#hasAsked = true
      this.#log.add({ type: 'pending', pending: shown })
      this.#options.onChange(this)
    }
  }

  #pause(): void {
    if (this.#since !== undefined) this.#ranFor += performance.now() - this.#since
    this.#since = undefined
  }

  #goOn(decisions: Decisions, pending: readonly PendingCall[]): void {
    this.#hasAsked = false
    this.#since = performance.now()
    for (const callId of deniedIn(decisions, pending)) this.#denied.add(callId)
    const decided = Object.entries(decisions).map(([callId, decision]) => [
      callId,
      typeof decision === 'string' ? decision : Object.keys(decision)[0],
    ])
    this.#log.add({ type: 'resumed', decided: Object.fromEntries(decided) as Words })
    this.#options.onChange(this)
  }

  async #end(outcome: RunOutcome): Promise<void> {
    const end = await this.#kept(outcome)
    this.#pause()
    this.#log.add({ type: 'end', ...end, durationMs: this.#ranFor })
    this.#log.end()
    this.#options.onChange(this)
  }

  async #kept(outcome: RunOutcome): Promise<Omit<TurnEnd, 'type' | 'durationMs'>> {
    try {
      if (outcome.status !== 'ended' && !this.#isLeaving) await this.#options.forget()
      if (outcome.status === 'stopped') return { status: 'stopped' }
      if (outcome.status === 'failed') throw outcome.error
      const { result } = outcome
      await this.#options.keep(result)
      const status = result.status === 'limit' ? 'limit' : 'done'
      return { status, usage: result.response.usage }
    } catch (error) {
      return { status: 'failed', error: shownError(error, this.#options.warn) }
    }
  }
}

type Words = { readonly [callId: string]: string }
type TurnEnd = Omit<Extract<TurnEvent, { readonly type: 'end' }>, 'seq' | 'at'>
