/**
 * The body of a node:http answer as an async iterable, made for many small chunks: a chunk that
 * somebody waits for is handed over at once, others queue until the socket is paused. Ends the
 * waiting at once on abort, silence and breaks.
 */
import type { IncomingMessage } from 'node:http'
import type { TransportRequest } from '../../ports/transport.ts'
import { onAbort } from '../../internal/on-abort.ts'
import { timedOut, unreachable } from './transport-errors.ts'

/**
 * After so many bytes the socket rests until somebody asks for more, and for one turn of the event loop
 * at least: a fast sender would otherwise keep timers and other requests waiting.
 */
const BURST_BYTES = 128 * 1024

interface Waiting {
  resolve(result: IteratorResult<Uint8Array, undefined>): void
  reject(thrown: unknown): void
}
const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

export class IncomingBody implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #request: TransportRequest
  readonly #incoming: IncomingMessage
  readonly #release: (() => void) | undefined
  #queue: Uint8Array[] = []
  #taken = 0
  #burstBytes = 0
  #paused = false
  #breathing = false
  #silenceIgnored = false
  #stopWatching: (() => void) | undefined
  #ended = false
  #failure: { readonly thrown: unknown } | undefined
  #waiting: Waiting | undefined

  constructor(request: TransportRequest, incoming: IncomingMessage) {
    this.#request = request
    this.#incoming = incoming
    const { signal } = request
    this.#release =
      signal &&
      onAbort(signal, () => {
        this.#drop()
        this.#fail(signal.reason)
      })
    incoming.on('data', (chunk: Uint8Array) => this.#take(chunk))
    incoming.on('end', () => this.#end())
    incoming.on('error', (thrown) => this.#break(thrown))
    incoming.on('close', () => this.#break('closed early'))
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#taken < this.#queue.length)
      return Promise.resolve({ done: false, value: this.#shift() })
    if (this.#failure !== undefined) return Promise.reject(this.#failure.thrown as Error)
    if (this.#ended) return Promise.resolve(DONE)
    if (this.#paused && !this.#breathing) this.#resume()
    if (this.#silenceIgnored) this.#watchAgain()
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  /** The reader leaves. A body that is complete keeps its connection; any other closes it. */
  return(): Promise<IteratorReturnResult<undefined>> {
    this.#drop()
    if (this.#incoming.complete) this.#incoming.resume()
    else this.#incoming.destroy()
    this.#end()
    return Promise.resolve(DONE)
  }

  /** The socket was silent for the whole idle timeout. While the reader has something to read, that is its own doing. */
  onSilence(): void {
    if (this.#waiting === undefined) this.#silenceIgnored = true
    else this.#fail(timedOut(this.#request, 'inside the answer'))
  }

  #take(chunk: Uint8Array): void {
    if (this.#ended) return
    this.#burstBytes += chunk.length
    if (this.#burstBytes >= BURST_BYTES) this.#breathe()
    const waiting = this.#waiting
    if (waiting !== undefined) {
      this.#waiting = undefined
      waiting.resolve({ done: false, value: chunk })
      return
    }
    this.#queue.push(chunk)
  }

  #breathe(): void {
    this.#paused = true
    this.#breathing = true
    this.#incoming.pause()
    this.#burstBytes = 0
    setImmediate(() => {
      this.#breathing = false
      if (this.#waiting !== undefined) this.#resume()
    })
  }

  #drop(): void {
    this.#queue = []
    this.#taken = 0
  }

  #shift(): Uint8Array {
    const chunk = this.#queue[this.#taken++]!
    if (this.#taken === this.#queue.length) this.#drop()
    return chunk
  }

  #resume(): void {
    this.#paused = false
    this.#incoming.resume()
  }

  /** Node tells a request of its socket's silence only once; from the second time on we listen ourselves. */
  #watchAgain(): void {
    this.#silenceIgnored = false
    const { socket } = this.#incoming
    const listen = (): void => this.onSilence()
    socket.once('timeout', listen)
    this.#stopWatching?.()
    this.#stopWatching = () => socket.off('timeout', listen)
    socket.setTimeout(this.#request.idleTimeoutMs)
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#release?.()
    this.#stopWatching?.()
    this.#waiting?.resolve(DONE)
    this.#waiting = undefined
  }

  #break(thrown: unknown): void {
    // Every body closes in the end; only before its end is that a failure.
    if (!this.#ended) this.#fail(unreachable(this.#request, thrown, 'inside the answer'))
  }

  #fail(thrown: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#failure = { thrown }
    this.#release?.()
    this.#stopWatching?.()
    this.#waiting?.reject(thrown)
    this.#waiting = undefined
    this.#incoming.destroy()
  }
}
