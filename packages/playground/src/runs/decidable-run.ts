/**
 * A run that may wait for a person, any number of times. It lives here and not on a connection: pages come, leave and come
 * back. Whatever two of them decide at once counts once.
 */
import {
  ResumeError,
  type ChatEvent,
  type ChatRequest,
  type Decisions,
  type PendingCall,
  type RunResult,
  type RunState,
} from 'toolwright'
import type { RefusedDecision } from '../protocol/shown-content.ts'
import type { Warn } from '../server/answer-error.ts'
import { Refusal } from '../server/refusal.ts'
import { refusedDecision } from '../shown/refused-decision.ts'
import { misfitAnswer } from './misfit-answer.ts'
import { OnceByRequest } from './once-by-request.ts'

export type RunOutcome =
  | { readonly status: 'ended'; readonly result: RunResult }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'stopped' }

export interface DecidableRunOptions {
  /** Goes on from a state. */
  resume(state: RunState, decisions: Decisions): ChatRequest
  /** Makes sure that nobody goes on from the state. */
  discard(state: RunState): Promise<void>
  onEvent(event: ChatEvent): void
  /** Prepares what is told of the calls that wait; what it gives is called as soon as they can be decided. */
  onPending(pending: readonly PendingCall[]): Promise<() => void>
  onResumed(decisions: Decisions, pending: readonly PendingCall[]): void
  /** The decisions did not fit; what was pending still is. */
  onRefused(error: RefusedDecision): void
  readonly warn: Warn
  /** Once. */
  onEnd(outcome: RunOutcome): Promise<void>
}

export interface Waiting {
  readonly state: RunState
  readonly pending: readonly PendingCall[]
}

/** How long a page that has decided waits to hear whether the run goes on. */
const GOES_ON_WITHIN_MS = 5_000

export class DecidableRun {
  readonly #options: DecidableRunOptions
  readonly #aborter = new AbortController()
  readonly #decided = new OnceByRequest<void>(100)
  #waiting: Waiting | undefined
  #isEnded = false
  #isLeaving = false
  #under: Promise<void> = Promise.resolve()

  constructor(options: DecidableRunOptions) {
    this.#options = options
  }

  get status(): 'running' | 'waiting' | 'ended' {
    if (this.#isEnded) return 'ended'
    return this.#waiting ? 'waiting' : 'running'
  }

  get pending(): readonly PendingCall[] {
    return this.#waiting?.pending ?? []
  }

  start(request: ChatRequest): void {
    this.#under = this.#follow(request, () => {}).then(() => {})
  }

  /** From now on it waits; also for a run that does since an earlier process. */
  async wait(waiting: Waiting): Promise<void> {
    const tell = await this.#options.onPending(waiting.pending)
    if (this.#isStopped) return this.#discard(waiting)
    this.#waiting = waiting
    tell()
  }

  /** Resolves when the run goes on. The same request again is the same decision. */
  decide(requestId: string, decisions: Decisions): Promise<void> {
    return this.#decided.run(requestId, () => this.#decide(decisions))
  }

  /** What it left unsaid is not waited for. */
  async stop(): Promise<void> {
    const waiting = this.#waiting
    if (!waiting) {
      this.#aborter.abort()
      return this.#under
    }
    // From here on nobody else decides.
    this.#waiting = undefined
    await this.#discard(waiting)
  }

  /** Ends what is under way; what waits goes on waiting, for a later process. */
  async leave(): Promise<void> {
    if (this.#waiting) return
    this.#isLeaving = true
    this.#aborter.abort()
    await this.#under
  }

  get #isStopped(): boolean {
    return this.#aborter.signal.aborted && !this.#isLeaving
  }

  async #decide(decisions: Decisions): Promise<void> {
    const waiting = this.#waiting
    if (!waiting)
      throw new Refusal(409, 'decided', {
        message: 'Nothing waits here any more: it was decided already, or the turn has ended.',
      })
    const misfit = misfitAnswer(decisions, waiting.pending)
    if (misfit) throw this.#refuse(422, misfit)
    const request = this.#options.resume(waiting.state, decisions)
    this.#waiting = undefined
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, GOES_ON_WITHIN_MS)
      const goesOn = (): void => {
        clearTimeout(timer)
        this.#options.onResumed(decisions, waiting.pending)
        resolve()
      }
      this.#under = this.#follow(request, goesOn, waiting)
        .then(() => resolve(), reject)
        .finally(() => clearTimeout(timer))
    })
  }

  /** `goesOn` is called with the first event after which the state is used up. Rejects if `waiting` was not used up. */
  async #follow(request: ChatRequest, goesOn: () => void, waiting?: Waiting): Promise<void> {
    let hasBegun = false
    try {
      const run = request.signal(this.#aborter.signal).stream()
      for await (const event of run) {
        if (!hasBegun && event.type !== 'notice') {
          hasBegun = true
          goesOn()
        }
        this.#options.onEvent(event)
      }
      const result = await run.result()
      if (result.status !== 'suspended') return await this.#end({ status: 'ended', result })
      await this.wait({ state: result.state!, pending: result.pending! })
    } catch (error) {
      const isUnused = waiting && !hasBegun
      if (isUnused && this.#isStopped) return this.#discard(waiting)
      if (this.#aborter.signal.aborted) return this.#end({ status: 'stopped' })
      if (!isUnused) return this.#end({ status: 'failed', error })
      return this.#refused(waiting, error)
    }
  }

  async #refused(waiting: Waiting, error: unknown): Promise<never> {
    if (error instanceof ResumeError && error.code === 'state-used') {
      await this.#end({ status: 'failed', error })
      throw new Refusal(409, 'decided', { message: 'It was decided elsewhere already.' })
    }
    this.#waiting = waiting
    const status = error instanceof ResumeError ? 422 : 500
    throw this.#refuse(status, refusedDecision(error, this.#options.warn))
  }

  /** Tells everybody who follows, and whoever decided. */
  #refuse(status: number, refused: RefusedDecision): Refusal {
    this.#options.onRefused(refused)
    const { code, ...facts } = refused
    return new Refusal(status, code, facts)
  }

  async #discard({ state }: Waiting): Promise<void> {
    await this.#options.discard(state)
    await this.#end({ status: 'stopped' })
  }

  async #end(outcome: RunOutcome): Promise<void> {
    if (this.#isEnded) return
    this.#isEnded = true
    await this.#options.onEnd(outcome)
  }
}
