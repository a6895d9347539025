/**
 * Room for one message in memory that two threads see. To wake a thread that sleeps takes longer than most turns and most
 * calls of tools; a reader that is awake finds the message by looking, and nobody has to be woken.
 */
const HEAD_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT
/** How long the message is (0: there is none), and whether the reader looks. */
const LENGTH = 0
const AWAKE = 1

/** Longer messages are rare, and then their work takes longer than waking. */
const MOST_BYTES = 16 * 1024
/** Of a unit of a text, written as JSON and UTF-8. */
const MOST_BYTES_OF_UNIT = 6

export const newSlot = (): SharedArrayBuffer => new SharedArrayBuffer(HEAD_BYTES + MOST_BYTES)

export class Slot {
  readonly #head: Int32Array
  readonly #body: Buffer

  constructor(shared: SharedArrayBuffer) {
    this.#head = new Int32Array(shared, 0, 2)
    this.#body = Buffer.from(shared, HEAD_BYTES)
  }

  get isFull(): boolean {
    return Atomics.load(this.#head, LENGTH) !== 0
  }

  /** Of the reader; before it sleeps it looks once more. */
  get isAwake(): boolean {
    return Atomics.load(this.#head, AWAKE) !== 0
  }

  set isAwake(value: boolean) {
    Atomics.store(this.#head, AWAKE, Number(value))
  }

  /** False: the last message is still there, or this one is too long. `size`: about how many characters it has. */
  put(message: object, size: number): boolean {
    if (this.isFull || size > MOST_BYTES) return false
    // JSON, because it keeps what UTF-8 has no way to write: halves of surrogate pairs.
    const text = JSON.stringify(message)
    if (text.length * MOST_BYTES_OF_UNIT > MOST_BYTES && Buffer.byteLength(text) > MOST_BYTES)
      return false
    Atomics.store(this.#head, LENGTH, this.#body.write(text))
    return true
  }

  /** `undefined`: there is none, or what is there is no message. */
  take(): unknown {
    const length = Atomics.load(this.#head, LENGTH)
    if (length === 0) return undefined
    const text = this.#body.toString('utf8', 0, length)
    Atomics.store(this.#head, LENGTH, 0)
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
}
