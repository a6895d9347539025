/**
 * Reads a run, converts its events, and hands the text to the one browser that asked. Events are converted as they come,
 * and what came meanwhile is sent in one piece: a stream has thousands of deltas, and each piece costs more than a delta.
 */
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { KeptStream } from '../replay/stream-store.ts'
import type { StreamConverter } from './stream-converter.ts'

export interface PageStreamParts {
  readonly converter: StreamConverter
  readonly onLeave: 'abort' | 'finish'
  readonly onError: ((error: unknown) => void) | undefined
  /** Where the text is kept besides. */
  readonly kept: KeptStream | undefined
}

/** In characters. A browser waits for no more than this before it gets something. */
const LARGEST_PIECE = 16_384
/** Turns of the microtask queue in which nothing came: then the run waits for the outside world. */
const QUIET_TURNS = 12

export class PageStream {
  readonly #events: AsyncIterator<ChatEvent>
  readonly #parts: PageStreamParts
  #unsent = ''
  #hasStarted = false
  #hasEnded = false
  #hasLeft = false
  #wake: (() => void) | undefined

  constructor(events: AsyncIterator<ChatEvent>, parts: PageStreamParts) {
    this.#events = events
    this.#parts = parts
  }

  body(): ReadableStream<Uint8Array> {
    // A run that shall finish whoever reads it begins by itself.
    if (this.#parts.onLeave === 'finish') this.#start()
    return new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#leave() },
      { highWaterMark: 0 },
    )
  }

  #start(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    void this.#read()
  }

  /** Never rejects: what went wrong is told to the page and to the program. */
  async #read(): Promise<void> {
    const { converter } = this.#parts
    try {
      this.#put(converter.begin())
      const earlier = converter.earlier?.() ?? ''
      if (earlier !== '') this.#keep((kept) => kept.write(earlier))
      for (let step = await this.#events.next(); !step.done; step = await this.#events.next())
        this.#put(converter.of(step.value))
    } catch (thrown) {
      this.#tell(thrown)
      this.#put(converter.failed(thrown))
      // After what the run threw this does nothing; what a program's own function threw ends the run.
      this.#quit()
    }
    this.#put(converter.end())
    this.#hasEnded = true
    this.#keep((kept) => kept.end())
    this.#wake?.()
  }

  #put(text: string): void {
    if (text === '') return
    this.#keep((kept) => kept.write(text))
    if (this.#hasLeft) return
    this.#unsent += text
    this.#wake?.()
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#start()
    while (this.#unsent === '' && !this.#hasEnded)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    this.#wake = undefined
    await this.#gather()
    const text = this.#unsent
    this.#unsent = ''
    if (text !== '') controller.enqueue(encoder.encode(text))
    if (this.#hasEnded && this.#unsent === '') controller.close()
  }

  /** Lets come what comes without waiting. */
  async #gather(): Promise<void> {
    let size = this.#unsent.length
    for (let turn = 0; turn < QUIET_TURNS && !this.#hasEnded && size < LARGEST_PIECE; turn++) {
      await undefined
      if (this.#unsent.length === size) continue
      size = this.#unsent.length
      turn = 0
    }
  }

  #leave(): void {
    this.#hasLeft = true
    this.#unsent = ''
    if (this.#parts.onLeave !== 'abort') return
    this.#quit()
    if (this.#hasStarted) return
    // Nobody reads what never began, so nobody else ends what is kept of it.
    this.#hasStarted = true
    this.#keep((kept) => kept.end())
  }

  #quit(): void {
    void this.#events.return?.().catch(() => {})
  }

  /** A store that fails costs the replay, not the stream. */
  #keep(act: (kept: KeptStream) => void | Promise<void>): void {
    const { kept } = this.#parts
    if (!kept) return
    try {
      void Promise.resolve(act(kept)).catch((thrown: unknown) => this.#tell(thrown))
    } catch (thrown) {
      this.#tell(thrown)
    }
  }

  #tell(thrown: unknown): void {
    try {
      this.#parts.onError?.(thrown)
    } catch {
      // Whoever is told of an error cannot make another one of it.
    }
  }
}

const encoder = new TextEncoder()
