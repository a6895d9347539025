/** How a worker gets its messages: by events; or, where answers come fast, by looking for them. */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { QuickAnswers } from './quick-answers.ts'
import { BEAT, type ToWorker } from './wire.ts'

export class Mailbox {
  readonly #port: MessagePort
  readonly #beat: Int32Array
  readonly #take: (message: ToWorker) => void
  readonly #answers = new QuickAnswers()
  /** Messages that were taken, as the host counts them. */
  #taken = 0

  constructor(port: MessagePort, beat: Int32Array, take: (message: ToWorker) => void) {
    this.#port = port
    this.#beat = beat
    this.#take = take
    port.on('message', (message: ToWorker) => {
      this.#answers.answered()
      this.#taken++
      take(message)
    })
  }

  /** The host was asked for something, and will answer. */
  look(): void {
    this.#answers.asked()
    while (!this.#isSent) if (!this.#answers.areNear()) return
    for (let got = this.#next(); got; got = this.#next()) {
      this.#answers.answered()
      this.#taken++
      this.#take(got.message)
    }
  }

  /** The host counts a message when it has sent it, so one may have been taken that is not counted yet. */
  get #isSent(): boolean {
    return ((Atomics.load(this.#beat, BEAT.SENT) - this.#taken) | 0) > 0
  }

  #next(): { readonly message: ToWorker } | undefined {
    return receiveMessageOnPort(this.#port) as { readonly message: ToWorker } | undefined
  }
}
