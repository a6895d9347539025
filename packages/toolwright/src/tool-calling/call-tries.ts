/**
 * The attempts of one call, by the tool's retry policy: each takes its place in the tool's rate, and none
 * starts while an earlier one still runs.
 */
import { ToolExecutionError } from '../errors/errors.ts'
import { notice } from '../errors/notices.ts'
import { sleep } from '../ports/clock.ts'
import { inTime } from '../ports/in-time.ts'
import { withRetries, type Retrying } from '../ports/retry-policy.ts'
import { SuspendSignal } from '../tools/default-tool-context.ts'
import type { Batch, ReadyCall, RunAttempt } from './call.ts'
import type { CallRates } from './call-rates.ts'
import { timeLimitOf } from './call-time.ts'

export interface TriedCall<T> {
  readonly batch: Batch
  readonly ready: ReadyCall
  readonly run: RunAttempt<T>
  readonly rates: CallRates
  /** The time that the first attempt has left after waiting for a lock. Default: the tool's own. */
  readonly leftMs?: number
}

export class CallTries<T> {
  readonly #call: TriedCall<T>
  /** The tool of an attempt that was given up: it settles when the tool does. */
  #running: Promise<void> | undefined
  /** Another attempt would not get to run. */
  #isStuck = false
  /** What the last attempt threw. */
  #last: unknown

  constructor(call: TriedCall<T>) {
    this.#call = call
  }

  run(): Promise<T> {
    const { batch, ready } = this.#call
    const { retry, effect } = ready.tool.metadata
    if (!retry || effect === 'once') return this.#attempt(1)
    const { clock, random } = batch.settings
    const { signal } = batch.run
    const retrying: Retrying = {
      clock,
      random,
      signal,
      mayRetry: (thrown) =>
        !this.#isStuck && !(thrown instanceof SuspendSignal) && !signal?.aborted,
      onRetry: (attempt, thrown) => ready.watched?.retried(attempt, thrown),
    }
    const { attempts, delayMs = 200 } = retry
    return withRetries({ attempts, delayMs }, retrying, (number) => this.#attempt(number))
  }

  /** Settles when no tool of this call runs any more; undefined if none does. */
  get running(): Promise<void> | undefined {
    return this.#running
  }

  async #attempt(number: number): Promise<T> {
    const { batch, ready, run, leftMs } = this.#call
    await this.#earlierSettled()
    await this.#takePlace()
    const isFirst = number === 1
    const onStarted = (started: Promise<unknown>): void => this.#follow(started)
    try {
      return await run(batch, ready, { number, onStarted, ...(isFirst && { timeoutMs: leftMs }) })
    } catch (thrown) {
      this.#last = thrown
      await this.#tellUnsettled()
      throw thrown
    }
  }

  #follow(started: Promise<unknown>): void {
    const settled = (): void => void (this.#running = undefined)
    this.#running = started.then(settled, settled)
  }

  /** Waits for the tool of an earlier attempt, but no longer than the tool may run. */
  async #earlierSettled(): Promise<void> {
    if (!this.#running) return
    const { batch, ready } = this.#call
    const settled = this.#running.then(() => true)
    if (await inTime(timeLimitOf(batch, ready.tool), settled, () => false)) return
    this.#isStuck = true
    throw this.#last
  }

  async #takePlace(): Promise<void> {
    const { batch, ready, rates } = this.#call
    const { call, tool } = ready
    if (!tool.metadata.rateLimit) return
    const { ms, ...limit } = timeLimitOf(batch, tool)
    // A short time limit is about running, so it does not keep a call from waiting for its turn.
    const longest = Math.max(ms, batch.settings.limits.toolTimeoutMs)
    const from = limit.clock.monotonic()
    const waitMs = await rates.take(tool, { ms: longest, ...limit })
    const waitedMs = limit.clock.monotonic() - from
    if (waitedMs >= 1) ready.watched?.waited({ for: 'rate', ms: waitedMs })
    if (waitMs === 0) return
    this.#isStuck = true
    const words = `its rate is used up, and its turn would come in ${Math.ceil(waitMs)} ms`
    const details = { toolName: call.name, callId: call.id, code: 'tool-rate' } as const
    throw this.#last ?? new ToolExecutionError(words, details)
  }

  /** A tool that stops when it is told to has settled by the next turn. */
  async #tellUnsettled(): Promise<void> {
    const { batch, ready } = this.#call
    const { call, tool } = ready
    const { lock, retry } = tool.metadata
    if (!this.#running || (!lock && !retry)) return
    await sleep(batch.settings.clock, 0)
    if (!this.#running) return
    const message = `Tool "${call.name}" was given up and still runs; until it settles its lock stays held and it is not tried again.`
    batch.run.emit?.(notice('tool-unsettled', message, { callId: call.id }))
  }
}
