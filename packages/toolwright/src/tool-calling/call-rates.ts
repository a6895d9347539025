/** Rates: at most so many calls of a tool start within a time. */
import type { Clock } from '../ports/clock.ts'
import type { TimeLimit } from '../ports/in-time.ts'
import { remembered } from '../schema/remembered.ts'
import { bodyOf } from '../tools/tool-body.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolMetadata } from '../tools/tool-metadata.ts'
import { waitInLine, type Line } from './wait-in-line.ts'

type RateLimit = NonNullable<ToolMetadata['rateLimit']>

export class CallRates {
  readonly #clock: Clock
  readonly #rates = new WeakMap<object, Rate>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Waits for a place in the tool's rate and takes it. If it would come only after the limit, returns how long
   * that would be, at once, and takes none.
   */
  async take(tool: ToolCallback, limit: TimeLimit): Promise<number> {
    const { rateLimit } = tool.metadata
    if (!rateLimit) return 0
    // A tool of ours under a changed definition is still the same tool.
    const owner = bodyOf(tool) ?? tool.definition
    return remembered(this.#rates, owner, () => new Rate(this.#clock, rateLimit)).take(limit)
  }
}

class Rate {
  readonly #clock: Clock
  readonly #limit: RateLimit
  readonly #line: Line = new Set()
  /** When the last calls started: as many as may start within the time. */
  readonly #starts: number[] = []
  #cancel: (() => void) | undefined

  constructor(clock: Clock, limit: RateLimit) {
    this.#clock = clock
    this.#limit = limit
  }

  async take({ ms, ...limit }: TimeLimit): Promise<number> {
    if (this.#line.size === 0 && this.#isFree()) {
      this.#start()
      return 0
    }
    const waitMs = this.#waitMs()
    if (waitMs > ms) return waitMs
    this.#callLater()
    try {
      await waitInLine(this.#line, { ...limit, ms: Infinity })
      return 0
    } finally {
      if (this.#line.size === 0) this.#stopCalling()
    }
  }

  #isFree(): boolean {
    const { calls, perMs } = this.#limit
    return this.#starts.length < calls || this.#starts[0]! + perMs <= this.#clock.monotonic()
  }

  #start(): void {
    if (this.#starts.push(this.#clock.monotonic()) > this.#limit.calls) this.#starts.shift()
  }

  /** How long a call waits that joins the line now. Nobody waits unless all places are taken. */
  #waitMs(): number {
    const { calls, perMs } = this.#limit
    const turns = 1 + Math.floor(this.#line.size / calls)
    return this.#starts[this.#line.size % calls]! + turns * perMs - this.#clock.monotonic()
  }

  /** A place is taken only when it is there, so that a call that leaves the line has none to give back. */
  #callLater(): void {
    const ms = Math.max(0, this.#starts[0]! + this.#limit.perMs - this.#clock.monotonic())
    this.#cancel ??= this.#clock.timer(ms, () => {
      this.#cancel = undefined
      for (const goOn of this.#line) {
        if (!this.#isFree()) break
        this.#start()
        goOn()
      }
      if (this.#line.size > 0) this.#callLater()
    })
  }

  #stopCalling(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
