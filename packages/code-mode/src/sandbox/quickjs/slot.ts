/**
 * Room for one message in memory that two threads see. To wake a thread that sleeps takes longer than most turns and most
 * calls of tools; a reader that is awake finds the message by looking, and nobody has to be woken.
 */
const HEAD_BYTES = 5 * Int32Array.BYTES_PER_ELEMENT
/** One more than how long the message is (0: there is none), and whether the reader looks. */
const LENGTH = 0
const AWAKE = 1
/** Whether it is a short message, and the numbers of one. */
const IS_SHORT = 2
const ID = 3
const NUMBER = 4

/** Longer messages are rare, and then their work takes longer than waking. */
const MOST_BYTES = 16 * 1024
/** Of a unit of a text, written as JSON and UTF-8; and as UTF-8 alone. */
const MOST_BYTES_OF_UNIT = 6
const MOST_UTF8_BYTES_OF_UNIT = 3

export const newSlot = (): SharedArrayBuffer => new SharedArrayBuffer(HEAD_BYTES + MOST_BYTES)

/** What most messages come to. To write and read JSON around it takes longer than to pass it on. */
export interface ShortMessage {
  readonly id: number
  readonly number: number
  readonly text: string
}

export interface Shortening<Message> {
  /** Nothing, if there is more in the message. */
  short(message: Message): ShortMessage | undefined
  whole(short: ShortMessage): Message
}

export class Slot<Message extends object> {
  readonly #head: Int32Array
  readonly #body: Buffer
  readonly #shortening: Shortening<Message>

  constructor(shared: SharedArrayBuffer, shortening: Shortening<Message>) {
    this.#head = new Int32Array(shared, 0, HEAD_BYTES / Int32Array.BYTES_PER_ELEMENT)
    this.#body = Buffer.from(shared, HEAD_BYTES)
    this.#shortening = shortening
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
  put(message: Message, size: number): boolean {
    if (this.isFull || size > MOST_BYTES) return false
    const short = this.#shortening.short(message)
    if (short && fits(short)) return this.#fill(short.text, short)
    // JSON, because it keeps what UTF-8 has no way to write: halves of surrogate pairs.
    const text = JSON.stringify(message)
    if (text.length * MOST_BYTES_OF_UNIT > MOST_BYTES && Buffer.byteLength(text) > MOST_BYTES)
      return false
    return this.#fill(text)
  }

  #fill(text: string, short?: ShortMessage): true {
    this.#head[IS_SHORT] = Number(short !== undefined)
    this.#head[ID] = short?.id ?? 0
    this.#head[NUMBER] = short?.number ?? 0
    Atomics.store(this.#head, LENGTH, this.#body.write(text) + 1)
    return true
  }

  /** `undefined`: there is none, or what is there is no message. */
  take(): unknown {
    const length = Atomics.load(this.#head, LENGTH)
    if (length === 0) return undefined
    const text = this.#body.toString('utf8', 0, length - 1)
    const { [IS_SHORT]: isShort, [ID]: id = 0, [NUMBER]: number = 0 } = this.#head
    Atomics.store(this.#head, LENGTH, 0)
    if (isShort) return this.#shortening.whole({ id, number, text })
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
}

const fits = ({ id, number, text }: ShortMessage): boolean =>
  (id | 0) === id &&
  (number | 0) === number &&
  text.length * MOST_UTF8_BYTES_OF_UNIT <= MOST_BYTES &&
  text.isWellFormed()
