/**
 * One worker of the pool, seen from the host. It watches the turns by the memory that both sides see: a turn that takes
 * too long is one of a builtin that asks nobody, and only ending the thread stops it. The programs that were in the
 * same worker are lost then and can be replayed elsewhere.
 */
import type { Worker } from 'node:worker_threads'
import type { Answer } from './places.ts'
import { QuickAnswers } from './quick-answers.ts'
import { newSlot, Slot } from './slot.ts'
import { startWorker } from './start-worker.ts'
import { stoppedTurn } from './stopped-turn.ts'
import {
  areTurns,
  BEAT,
  BEAT_BYTES,
  LOOK,
  SHORT_ASKS,
  SHORT_TURNS,
  type AskWorker,
  type EngineModule,
  type ToWorker,
  type Turns,
} from './wire.ts'

/** What the host waits for. */
interface Waiting {
  readonly id: number
  readonly turnMs: number
  resolve(answer: Answer): void
}

/** What a turn may take longer than its limit before the thread is ended: the engine asks for itself before. */
const GRACE_MS = 100

export class PoolWorker {
  /** Programs that have a place in it. */
  programs = 0
  readonly #worker: Worker
  readonly #beat: Int32Array
  readonly #asks: Slot<AskWorker>
  readonly #inbox: Slot<Turns>
  readonly #waiting = new Map<number, Waiting>()
  readonly #answers = new QuickAnswers()
  #isAwake = false
  readonly #onGone: (worker: PoolWorker) => void
  readonly #ready: Promise<void>
  /** How many wait for it to be ready. */
  #awaited = 0
  #isReady = false
  /** Whether it keeps the process alive; a new worker does. */
  #isHeld = true
  #isGone = false
  #watch: NodeJS.Timeout | undefined
  #seen = { turn: 0, since: 0 }

  constructor(wasm: EngineModule, onGone: (worker: PoolWorker) => void) {
    const beat = new SharedArrayBuffer(BEAT_BYTES)
    const [toWorker, toHost] = [newSlot(), newSlot()]
    this.#beat = new Int32Array(beat)
    this.#asks = new Slot(toWorker, SHORT_ASKS)
    this.#inbox = new Slot(toHost, SHORT_TURNS)
    this.#onGone = onGone
    this.#worker = startWorker({ wasm, beat, toWorker, toHost })
    this.#ready = new Promise((resolve, reject) => {
      let fault: unknown
      this.#worker.on('message', (message: unknown) => {
        if (message === 'ready') {
          this.#isReady = true
          resolve()
        } else if (message === LOOK) this.#takeFromSlot()
        else this.#took(message)
      })
      this.#worker.on('error', (error) => (fault = error))
      this.#worker.on('exit', () => {
        this.#gone(fault)
        reject(fault ?? new DOMException('The sandbox was closed.', 'AbortError'))
      })
    })
    this.#ready.catch(() => {})
    this.#refer()
  }

  /** Resolves when it can run programs, rejects when it cannot be started. */
  async whenReady(): Promise<void> {
    this.#awaited++
    this.#refer()
    try {
      await this.#ready
    } finally {
      this.#awaited--
      this.#refer()
    }
  }

  /** Whether it waits for work, so that a program started in it runs at once. */
  get isIdle(): boolean {
    return this.#isReady && !this.#isGone && this.#waiting.size === 0
  }

  /** Whether it ever ran: one that cannot be started is not started again and again. */
  get hasBeenReady(): boolean {
    return this.#isReady
  }

  /** Sends a message and waits for its turns. */
  ask(message: AskWorker, turnMs: number): Promise<Answer> {
    if (this.#isGone) return Promise.resolve({ instead: stoppedTurn('lost') })
    return new Promise((resolve) => {
      this.#waiting.set(message.id, { id: message.id, turnMs, resolve })
      // To read and start a program takes longer than a moment.
      if ('deliver' in message) this.#answers.asked()
      if (!this.#isAwake) this.#stayAwake()
      this.#send(message)
      this.#refer()
      this.#watch ??= this.#look()
    })
  }

  /** Nobody waits for this program any more; a turn of it that runs is stopped. */
  drop(id: number): void {
    if (this.#isGone) return
    const waiting = this.#waiting.get(id)
    if (waiting) {
      this.#cancel(id)
      waiting.resolve({ instead: stoppedTurn('lost') })
    }
    this.#post({ id, drop: true })
  }

  /** Others have their turn all the time; only the process does not sleep. */
  #stayAwake(): void {
    const isAwake = this.#waiting.size > 0 && this.#answers.areNear()
    this.#isAwake = isAwake
    this.#inbox.isAwake = isAwake
    if (isAwake)
      setImmediate(() => {
        this.#takeFromSlot()
        this.#stayAwake()
      })
    else this.#takeFromSlot()
  }

  #takeFromSlot(): void {
    if (this.#inbox.isFull) this.#took(this.#inbox.take())
  }

  #took(message: unknown): void {
    this.#answers.answered()
    if (areTurns(message)) this.#answered(message.id, { turns: message.turns })
    else void this.end()
  }

  #send(message: AskWorker): void {
    if (!this.#asks.put(message, sizeOf(message))) this.#post(message)
    else if (!this.#asks.isAwake) this.#post(LOOK)
  }

  #post(message: ToWorker | typeof LOOK): void {
    this.#worker.postMessage(message)
    Atomics.add(this.#beat, BEAT.POSTED, 1)
  }

  /** There is room for one: of two, the one that runs is stopped first. */
  #cancel(id: number): void {
    const running = Atomics.load(this.#beat, BEAT.RUNNING)
    const isTaken = running > 0 && Atomics.load(this.#beat, BEAT.CANCELLED) === running
    if (!isTaken) Atomics.store(this.#beat, BEAT.CANCELLED, id)
  }

  async end(): Promise<void> {
    this.#gone(undefined)
    await this.#worker.terminate()
  }

  #answered(id: number, answer: Answer): void {
    this.#waiting.get(id)?.resolve(answer)
    this.#waiting.delete(id)
    this.#refer()
  }

  /** A worker keeps the process alive while somebody waits for it, and no longer. */
  #refer(): void {
    const isHeld = this.#waiting.size > 0 || this.#awaited > 0
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    if (isHeld) this.#worker.ref()
    else this.#worker.unref()
  }

  #look(): NodeJS.Timeout {
    const timer = setTimeout(() => this.#check(), GRACE_MS / 2)
    timer.unref()
    return timer
  }

  #check(): void {
    this.#watch = undefined
    if (this.#isGone || this.#waiting.size === 0) return
    const running = Atomics.load(this.#beat, BEAT.RUNNING)
    const turn = Atomics.load(this.#beat, BEAT.TURN)
    const now = performance.now()
    if (running === 0 || turn !== this.#seen.turn) this.#seen = { turn, since: now }
    const patience = Atomics.load(this.#beat, BEAT.PATIENCE)
    const limit = (this.#waiting.get(running)?.turnMs ?? 0) * patience
    if (running !== 0 && now - this.#seen.since > limit + GRACE_MS) {
      this.#answered(running, { instead: stoppedTurn('time') })
      void this.end()
    } else this.#watch = this.#look()
  }

  #gone(fault: unknown): void {
    if (this.#isGone) return
    this.#isGone = true
    clearTimeout(this.#watch)
    const running = Atomics.load(this.#beat, BEAT.RUNNING)
    for (const { id, resolve } of this.#waiting.values())
      resolve({ instead: stoppedTurn(fault && id === running ? 'memory' : 'lost') })
    this.#waiting.clear()
    this.#onGone(this)
  }
}

/** Messages of errors are short. */
function sizeOf(message: AskWorker): number {
  if ('start' in message) return message.start.code.length
  return message.deliver.reduce((sum, each) => sum + ((each.ok && each.json?.length) || 0), 0)
}
