/**
 * Makes turns of what comes out of an engine, and checks it on the way: numbers of calls have no gaps, no more are open
 * than allowed, only open calls are delivered to, ends and errors are of known kinds. One reader follows one program.
 */
import { ConfigurationError } from 'toolwright'
import type { Delivery, Program, Turn } from '../sandbox.ts'
import { readOutbox } from './outbox.ts'
import { areSoundErrors, isSoundEnd } from './sound-end.ts'
import { linesOf } from './stack-line.ts'
import { isFinal, stoppedTurn } from './stopped-turn.ts'
import type { WireTurn } from './wire.ts'

export class TurnReader {
  readonly #program: Program
  readonly #lines: number
  readonly #open = new Set<number>()
  #nextIndex = 0
  #fuel = 0
  #hasEnded = false

  constructor(program: Program) {
    this.#program = program
    this.#lines = linesOf(program.code)
  }

  /** The first must be open, and none named twice; others may be calls that the earlier ones lead to. */
  checkDeliveries(deliveries: readonly Delivery[]): void {
    const seen = new Set<number>()
    for (const [at, { index }] of deliveries.entries()) {
      const canBeOpen = this.#open.has(index) || (at > 0 && index >= this.#nextIndex)
      if (!canBeOpen || seen.has(index) || !Number.isSafeInteger(index))
        throw new ConfigurationError('invalid-option', `deliver(): call ${index} is not open.`)
      seen.add(index)
    }
  }

  /** Whether the program has ended and no call is open. */
  get isOver(): boolean {
    return this.#hasEnded && this.#open.size === 0
  }

  isOpen({ index }: Delivery): boolean {
    return this.#open.has(index)
  }

  /** Of what was delivered, so that there is room for new calls before what they lead to is read. */
  delivered({ index }: Delivery): void {
    this.#open.delete(index)
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
    const isSound =
      (end === undefined || isSoundEnd(end, valueBytes)) &&
      (unhandled === undefined || areSoundErrors(unhandled))
    if (!calls || !console || !(fuel >= this.#fuel) || !isSound)
      return stoppedTurn('broken', this.#fuel)
    this.#fuel = fuel
    // What it was about to do when it was stopped is not done.
    if (isFinal(end)) return { calls: [], console, fuel, end }
    for (const { index } of calls) this.#open.add(index)
    this.#nextIndex += calls.length
    this.#hasEnded ||= end !== undefined
    return { calls, console, fuel, ...(end && { end }), ...(unhandled && { unhandled }) }
  }
}
