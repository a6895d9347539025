/**
 * The programs of one thread: a worker's, or the host's own where there are no workers. It compiles them, and
 * runs their turns one after another.
 */
import type { Delivery } from '../sandbox.ts'
import { Compiler } from './compile-program.ts'
import { Engines } from './engines.ts'
import { Guest, type Watch } from './guest.ts'
import { guestImage } from './guest-image.ts'
import { PRELUDE, PRELUDE_FILE } from './prelude.ts'
import { isFinal } from './stopped-turn.ts'
import { loadStripper } from './strip-types.ts'
import { BEAT, type EngineModule, type SentProgram, type ToWorker, type WireTurn } from './wire.ts'

/**
 * V8 begins with code of the engine that it compiled in haste, and replaces it soon; but a loop that was begun in it stays in
 * it to its end, three to five times as slow. Fuel is to strike before the clock there, too.
 */
const COLD_MS = 1_000
const COLD_PATIENCE = 4

export class Programs {
  readonly #wasm: EngineModule
  readonly #beat: Int32Array
  readonly #now: () => number
  #warmAt = Number.POSITIVE_INFINITY
  #isWarm = false
  readonly #compiler: Compiler
  readonly #guests = new Map<number, Guest>()
  #engines: Engines | undefined
  #warm: Promise<void> | undefined

  constructor(wasm: EngineModule, beat: Int32Array, now = () => performance.now()) {
    this.#now = now
    this.#wasm = wasm
    this.#beat = beat
    this.#compiler = new Compiler(wasm)
  }

  /** Loads everything that the first program would have to wait for. */
  warmUp(): Promise<void> {
    return (this.#warm ??= this.#load())
  }

  async #load(): Promise<void> {
    loadStripper()
    const prelude = await this.#compiler.prelude(PRELUDE, PRELUDE_FILE)
    this.#engines = new Engines(this.#wasm, await guestImage(this.#wasm, prelude))
    await this.#compiler.program('return 0')
    await this.#compiler.heat()
    this.#warmAt = this.#now() + COLD_MS
  }

  /** A promise only where something has to be waited for. Never fails but where the machine itself gives up. */
  handle(message: ToWorker): readonly WireTurn[] | Promise<readonly WireTurn[]> {
    const { id } = message
    if ('start' in message) return this.#start(id, message.start).then((turn) => [turn])
    if ('deliver' in message) return this.#deliver(id, message.deliver)
    this.#drop(id)
    return []
  }

  #deliver(id: number, deliveries: readonly Delivery[]): readonly WireTurn[] {
    const turns: WireTurn[] = []
    for (const delivery of deliveries) {
      const guest = this.#guests.get(id)
      const turn = guest && this.#timed(id, () => guest.deliver(delivery))
      if (!turn) break
      turns.push(turn)
    }
    return turns
  }

  /** The host sends no `drop` for a program that nothing can be delivered to any more. */
  leaveEnded(id: number): void {
    if (this.#guests.get(id)?.isOver) this.#drop(id)
  }

  async #start(id: number, program: SentProgram): Promise<WireTurn> {
    await this.warmUp()
    const guest = new Guest(await this.#engines!.take(program.limits))
    this.#guests.set(id, guest)
    this.#begin(id)
    try {
      const compiled = await this.#compiler.program(program.code)
      if (!compiled.ok) {
        this.#drop(id)
        const { message, line } = compiled
        const error = { name: 'SyntaxError', message, ...(line !== undefined && { line }) }
        return { outbox: '', fuel: 0, end: { ok: false, kind: 'syntax', error } }
      }
      return this.#kept(id, guest.start(program, compiled.bytecode, this.#watch(id)))
    } finally {
      this.#rest()
    }
  }

  #timed(id: number, run: () => WireTurn | undefined): WireTurn | undefined {
    this.#begin(id)
    try {
      const turn = run()
      return turn && this.#kept(id, turn)
    } finally {
      this.#rest()
    }
  }

  #watch(id: number): Watch {
    return {
      now: this.#now,
      patience: () => this.#patience(),
      isCancelled: () => Atomics.load(this.#beat, BEAT.CANCELLED) === id,
    }
  }

  #patience(): number {
    this.#isWarm ||= this.#now() >= this.#warmAt
    return this.#isWarm ? 1 : COLD_PATIENCE
  }

  #begin(id: number): void {
    Atomics.store(this.#beat, BEAT.PATIENCE, this.#patience())
    Atomics.add(this.#beat, BEAT.TURN, 1)
    Atomics.store(this.#beat, BEAT.RUNNING, id)
  }

  #rest(): void {
    Atomics.store(this.#beat, BEAT.RUNNING, 0)
  }

  /** An engine that was stopped is not used any more. */
  #kept(id: number, turn: WireTurn): WireTurn {
    if (isFinal(turn.end)) this.#drop(id)
    return turn
  }

  #drop(id: number): void {
    const guest = this.#guests.get(id)
    this.#guests.delete(id)
    if (guest?.isSound) this.#engines!.giveBack(guest.engine)
    else guest?.engine.dispose()
  }
}
