/**
 * Makes turns of what comes out of an engine, and checks it on the way: numbers of calls have no gaps, no more are open
 * than allowed, only open calls are delivered to. One reader follows one program.
 */
import { ConfigurationError } from 'toolwright'
import type { Delivery, Program, Turn } from '../sandbox.ts'
import { readOutbox } from './outbox.ts'
import { linesOf } from './stack-line.ts'
import { isFinal, stoppedTurn } from './stopped-turn.ts'
import type { WireTurn } from './wire.ts'

export class TurnReader {
  readonly #program: Program
  readonly #lines: number
  readonly #open = new Set<number>()
  #nextIndex = 0
  #fuel = 0

  constructor(program: Program) {
    this.#program = program
    this.#lines = linesOf(program.code)
  }

  /** Refuses calls that were delivered before, each named once. Later ones may be made by the turns before. */
  checkDeliveries(deliveries: readonly Delivery[]): void {
    const seen = new Set<number>()
    for (const { index } of deliveries) {
      if ((index < this.#nextIndex && !this.#open.has(index)) || seen.has(index))
        throw new ConfigurationError('invalid-option', `deliver(): call ${index} is not open.`)
      seen.add(index)
    }
  }

  /** Of what was delivered, so that there is room for new calls before what they lead to is read. False: it was not open. */
  delivered({ index }: Delivery): boolean {
    return this.#open.delete(index)
  }

  read({ outbox, fuel, end, unhandled }: WireTurn): Turn {
    const { openCalls, valueBytes } = this.#program.limits
    const { calls, console } =
      readOutbox(typeof outbox === 'string' ? outbox : '?', {
        nextIndex: this.#nextIndex,
        room: openCalls - this.#open.size,
        valueBytes,
        lines: this.#lines,
      }) ?? {}
    if (!calls || !console || !(fuel >= this.#fuel)) return stoppedTurn('broken', this.#fuel)
    this.#fuel = fuel
    // What it was about to do when it was stopped is not done.
    if (isFinal(end)) return { calls: [], console, fuel, end }
    for (const { index } of calls) this.#open.add(index)
    this.#nextIndex += calls.length
    return { calls, console, fuel, ...(end && { end }), ...(unhandled && { unhandled }) }
  }
}
