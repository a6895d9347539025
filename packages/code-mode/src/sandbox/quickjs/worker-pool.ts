/**
 * The workers that programs run in. Programs go to a worker that waits for work; so many are kept waiting as `warm`
 * says, started in the background. Waiting workers do not keep the process alive.
 */
import type { Program } from '../sandbox.ts'
import { loadEngine } from './load-engine.ts'
import type { Place, Places } from './places.ts'
import { PoolWorker } from './pool-worker.ts'
import { stoppedTurn } from './stopped-turn.ts'
import type { EngineModule } from './wire.ts'

export interface PoolSettings {
  readonly warm: number
  readonly workers: number
}

/** With more, deep JSON overflows the stack of the thread before the engine notices. */
const MOST_STACK_BYTES = 256 * 1024

export class WorkerPool implements Places {
  readonly stackBytes = MOST_STACK_BYTES
  readonly #settings: PoolSettings
  readonly #workers = new Set<PoolWorker>()
  readonly #wasm: Promise<EngineModule>
  #lastId = 0
  #isClosed = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
    this.#wasm = loadEngine()
    this.#wasm.catch(() => {})
  }

  async take(signal: Program['signal']): Promise<Place> {
    const wasm = await this.#wasm
    signal?.throwIfAborted()
    const worker = this.#best() ?? this.#add(wasm)
    // The next program goes to another one, while this one makes its next engine.
    this.#workers.delete(worker)
    this.#workers.add(worker)
    worker.programs++
    try {
      await worker.whenReady()
    } catch (error) {
      worker.programs--
      throw error
    }
    return this.#placeIn(worker)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#workers].map((worker) => worker.end()))
  }

  #placeIn(worker: PoolWorker): Place {
    const id = ++this.#lastId
    let isTaken = true
    return {
      ask: (asked, turnMs) => {
        if (!isTaken) return Promise.resolve({ instead: stoppedTurn('lost') })
        const answer = worker.ask({ id, ...asked }, turnMs)
        if ('start' in asked) this.#keepWarm(worker)
        return answer
      },
      drop(isOver) {
        if (!isTaken) return
        isTaken = false
        worker.programs--
        if (!isOver) worker.drop(id)
      },
      condemn: () => void worker.end(),
    }
  }

  /** Starts workers in the background, so that as many as wanted wait for work. */
  #keepWarm(working?: PoolWorker): void {
    void this.#wasm.then((wasm) => {
      const busy = [...this.#workers].filter(
        (worker) => worker === working || (!worker.isIdle && worker.programs > 0),
      )
      const wanted = Math.min(busy.length + this.#settings.warm, this.#settings.workers)
      while (!this.#isClosed && this.#workers.size < wanted) this.#add(wasm)
    })
  }

  /** One that waits for work, of these one with the fewest programs, the longest unused; `undefined`: one more may be started. */
  #best(): PoolWorker | undefined {
    const byLoad = [...this.#workers].sort((one, other) => one.programs - other.programs)
    const free = byLoad.find((worker) => worker.isIdle) ?? byLoad.find(({ programs }) => programs === 0) // prettier-ignore
    if (free || this.#workers.size < this.#settings.workers) return free
    return byLoad[0]
  }

  #add(wasm: EngineModule): PoolWorker {
    const worker = new PoolWorker(wasm, (gone) => {
      this.#workers.delete(gone)
      if (gone.hasBeenReady) this.#keepWarm()
    })
    this.#workers.add(worker)
    return worker
  }
}
