/** A program's course so far: what it depends on, the calls it made, and what it was told of them. */
import type { Delivery, ProgramCall, SandboxLimits } from '../sandbox/sandbox.ts'
import { hashOf } from '../hash-of.ts'
import { callHashOf, deliveryOf, keptDelivery, type ProgramJournal } from './journal.ts'

/** What decides about a program's course besides what it is told. */
export interface CourseStart {
  readonly engine: string
  readonly code: string
  readonly clock: number
  readonly seed: number
  readonly limits: SandboxLimits
  /** How much its journal may keep of what it is told, in characters. */
  readonly journalBytes: number
}

export class ProgramCourse {
  readonly start: CourseStart
  /** How many durable steps said which result came first. */
  orders: number
  readonly notes: string[]
  readonly #calls: string[]
  readonly #deliveries: Delivery[]
  #seen: number
  #bytes = 0

  constructor(start: CourseStart, earlier?: ProgramJournal) {
    this.start = start
    this.orders = earlier?.orders ?? 0
    this.notes = [...(earlier?.notes ?? [])]
    this.#calls = [...(earlier?.calls ?? [])]
    this.#deliveries = (earlier?.deliveries ?? []).map(deliveryOf)
    this.#seen = this.#deliveries.length
    for (const delivery of this.#deliveries) this.#bytes += sizeOf(delivery)
  }

  get deliveries(): readonly Delivery[] {
    return this.#deliveries
  }

  /** How many of the deliveries the program is known to have run on from. The place may be lost while it is told more. */
  get seen(): number {
    return this.#seen
  }

  /** The program has run on from all deliveries, or ended before. */
  saw(): void {
    this.#seen = this.#deliveries.length
  }

  /** How many calls were made. */
  get length(): number {
    return this.#calls.length
  }

  /** How much the journal has to keep of what the program was told, in characters. */
  get bytes(): number {
    return this.#bytes
  }

  deliver(delivery: Delivery): void {
    this.#deliveries.push(delivery)
    this.#bytes += sizeOf(delivery)
  }

  /** Notes a call, or compares it with what was noted. False: it is another than it was. */
  isSame(call: ProgramCall): boolean {
    const hash = callHashOf(call)
    const known = this.#calls[call.index]
    if (known === undefined) this.#calls.push(hash)
    return known === undefined || known === hash
  }

  journal(): ProgramJournal {
    const { engine, code, clock, seed, limits, journalBytes } = this.start
    return {
      version: 1,
      engine,
      code: hashOf(code),
      clock,
      seed,
      limits,
      journalBytes,
      calls: this.#calls,
      deliveries: this.#deliveries.map(keptDelivery),
      orders: this.orders,
      notes: this.notes,
    }
  }
}

/** What the journal keeps of each call besides its result. */
const CALL_SIZE = 32

const sizeOf = (delivery: Delivery): number =>
  CALL_SIZE + (delivery.ok ? (delivery.json?.length ?? 0) : delivery.error.message.length)
