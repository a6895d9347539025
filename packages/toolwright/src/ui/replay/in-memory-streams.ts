/** Keeps running streams in this process, and not more of them than it may. */
import { checkNumber, checkOptions } from '../../internal/check-options.ts'
import type { KeptStream, StreamStore } from './stream-store.ts'

export interface InMemoryStreamsOptions {
  /** How many are kept; the oldest is forgotten first, and runs on. Default 1,000. */
  readonly maxStreams?: number
  /** Characters of one stream; a longer one is forgotten, and runs on. Default 4,194,304. */
  readonly maxLength?: number
}

/**
 * @example
 * const store = inMemoryStreams()
 * toUiMessageStream(run, { replay: { store, key: `${user}/${chat}` } })
 */
export function inMemoryStreams(options: InMemoryStreamsOptions = {}): StreamStore {
  checkOptions('inMemoryStreams()', options, ['maxStreams', 'maxLength'])
  const { maxStreams = 1000, maxLength = 4 * 1024 * 1024 } = options
  checkNumber('maxStreams', maxStreams, { least: 1, isWhole: true })
  checkNumber('maxLength', maxLength, { least: 1, isWhole: true })
  const streams = new Map<string, StreamLog>()
  const forget = (key: string, log: StreamLog): void => {
    if (streams.get(key) === log) streams.delete(key)
  }
  return {
    begin(key) {
      const [oldest] = streams.keys()
      if (streams.size >= maxStreams && oldest !== undefined && !streams.has(key))
        streams.delete(oldest)
      // Deleted first, so that it counts as new.
      streams.delete(key)
      const log = new StreamLog(maxLength, () => forget(key, log))
      streams.set(key, log)
      return log
    },
    read: (key) => streams.get(key)?.read(),
  }
}

class StreamLog implements KeptStream {
  #pieces: string[] = []
  #length = 0
  #hasEnded = false
  #news: Promise<void> | undefined
  #wake: (() => void) | undefined
  readonly #maxLength: number
  readonly #forget: () => void

  constructor(maxLength: number, forget: () => void) {
    this.#maxLength = maxLength
    this.#forget = forget
  }

  write(text: string): void {
    if (this.#hasEnded) return
    this.#length += text.length
    if (this.#length > this.#maxLength) {
      this.#pieces = []
      return this.end()
    }
    this.#pieces.push(text)
    this.#tell()
  }

  end(): void {
    this.#hasEnded = true
    this.#forget()
    this.#tell()
  }

  async *read(): AsyncGenerator<string, void, undefined> {
    for (let next = 0; ;) {
      if (next < this.#pieces.length) {
        const text = this.#pieces.slice(next).join('')
        next = this.#pieces.length
        yield text
      } else if (this.#hasEnded) return
      else await (this.#news ??= new Promise((resolve) => (this.#wake = resolve)))
    }
  }

  #tell(): void {
    this.#news = undefined
    this.#wake?.()
  }
}
