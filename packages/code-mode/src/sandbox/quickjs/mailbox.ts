/** How a worker gets its messages: by events; or, where answers come fast, by looking for them. */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { QuickAnswers } from './quick-answers.ts'
import type { Slot } from './slot.ts'
import { BEAT, LOOK, type AskWorker, type ToWorker } from './wire.ts'

export interface MailboxSetup {
  readonly port: MessagePort
  readonly slot: Slot<AskWorker>
  readonly beat: Int32Array
  take(message: ToWorker): void
}

export class Mailbox {
  readonly #setup: MailboxSetup
  readonly #answers = new QuickAnswers()
  /** Messages of the port that were taken, as the host counts them. */
  #taken = 0

  constructor(setup: MailboxSetup) {
    this.#setup = setup
    setup.port.on('message', (message: ToWorker | typeof LOOK) => this.#posted(message))
  }

  /** The host was asked for something, and will answer. */
  look(): void {
    const { slot } = this.#setup
    this.#answers.asked()
    if (!this.#answers.areNear()) return
    slot.isAwake = true
    while (!slot.isFull && !this.#isPosted && this.#answers.areNear());
    slot.isAwake = false
    this.#takeFromSlot()
    for (let got = this.#next(); got; got = this.#next()) this.#posted(got.message)
  }

  /** What is in the slot was sent before anything that was posted for the same program. */
  #posted(message: ToWorker | typeof LOOK): void {
    this.#taken++
    this.#takeFromSlot()
    if (message === LOOK) return
    this.#answers.answered()
    this.#setup.take(message)
  }

  #takeFromSlot(): void {
    const message = this.#setup.slot.take()
    if (message === undefined) return
    this.#answers.answered()
    this.#setup.take(message as ToWorker)
  }

  /** The host counts a message when it has posted it, so one may have been taken that is not counted yet. */
  get #isPosted(): boolean {
    return ((Atomics.load(this.#setup.beat, BEAT.POSTED) - this.#taken) | 0) > 0
  }

  #next(): { readonly message: ToWorker } | undefined {
    if (!this.#isPosted) return undefined
    return receiveMessageOnPort(this.#setup.port) as { readonly message: ToWorker } | undefined
  }
}
