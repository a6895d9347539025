/**
 * The engines of one thread. One is kept ready for the next program: one whose program has ended, set back to how it was
 * made; or, where those are still in use or cannot be used again, another one, made in the background.
 */
import type { Snapshot } from 'quickjs-wasi'
import { Engine, type EngineLimits } from './engine.ts'
import type { GuestImage } from './guest-image.ts'
import type { EngineModule } from './wire.ts'

/** Most programs have ended by then, and their engine is ready again. */
const SPARE_AFTER_MS = 10
/**
 * The one that was made while a program ran, and that program's own. With one, each program that takes long would have
 * another made, beside which it stands still.
 */
const MOST_SPARE = 2

interface Spare {
  readonly limits: EngineLimits
  readonly engine: Promise<Engine>
}

export class Engines {
  readonly #wasm: EngineModule
  readonly #image: GuestImage
  #spares: readonly Spare[] = []
  /** What the memory of an engine is before its program. */
  #fresh: { readonly limits: EngineLimits; readonly snapshot: Snapshot } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(wasm: EngineModule, image: GuestImage) {
    this.#wasm = wasm
    this.#image = image
  }

  async take({ memoryBytes, stackBytes }: EngineLimits): Promise<Engine> {
    const limits = { memoryBytes, stackBytes }
    const [spare, ...others] = this.#spares.filter((each) => areSame(each.limits, limits))
    this.#spares = others
    if (others.length === 0) this.#makeLater(limits)
    return spare ? spare.engine : this.#make(limits)
  }

  /** Of an engine that ran its program without a fault of its own. */
  giveBack(engine: Engine): void {
    const { limits } = engine
    const isUsed =
      this.#spares.length < MOST_SPARE &&
      this.#fresh &&
      areSame(this.#fresh.limits, limits) &&
      engine.setBack(this.#fresh.snapshot)
    if (!isUsed) return engine.dispose()
    this.#spares = [...this.#spares, { limits, engine: Promise.resolve(engine) }]
    clearTimeout(this.#timer)
  }

  async #make(limits: EngineLimits): Promise<Engine> {
    const engine = await Engine.create({ wasm: this.#wasm, image: this.#image, limits })
    if (!this.#fresh || !areSame(this.#fresh.limits, limits))
      this.#fresh = { limits, snapshot: engine.vm.snapshot() }
    return engine
  }

  /** The next program most often has the same limits as the last. */
  #makeLater(limits: EngineLimits): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.#spares.length > 0) return
      const engine = this.#make(limits)
      engine.catch(() => (this.#spares = this.#spares.filter((each) => each.engine !== engine)))
      this.#spares = [{ limits, engine }]
    }, SPARE_AFTER_MS).unref()
  }
}

const areSame = (one: EngineLimits, other: EngineLimits): boolean =>
  one.memoryBytes === other.memoryBytes && one.stackBytes === other.stackBytes
