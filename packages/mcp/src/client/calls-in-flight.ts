/**
 * The calls that wait for one server, and the questions that it asks in the middle of them. The old protocol does not say
 * which call a question belongs to. Over HTTP it comes on the call's own stream; a program's questions wait until no more
 * calls are open than questions. Calls of several runs are never mixed up: then a question is cancelled.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { McpError } from 'toolwright'
import type { LiveCall } from './live-call.ts'
import { readRequest, type RemoteAnswer, type RemoteRequest } from './remote-question.ts'

interface WaitingQuestion {
  readonly request: RemoteRequest
  readonly respond: (answer: RemoteAnswer) => void
}

const CANCEL: RemoteAnswer = { action: 'cancel' }
const MOST_WAITING = 100

export class CallsInFlight {
  readonly #calls = new Set<LiveCall>()
  readonly #onStream = new AsyncLocalStorage<LiveCall>()
  readonly #ignored: (what: string) => void
  #waiting: WaitingQuestion[] = []

  constructor(ignored: (what: string) => void) {
    this.#ignored = ignored
  }

  /**
   * Sends a call. With a stream of its own, what comes back there is known to be its. Without one nothing is told apart, and
   * the storage is left alone: as soon as it is used, every promise of the process costs more.
   */
  send<T>(call: LiveCall, send: () => Promise<T>, hasOwnStream: boolean): Promise<T> {
    this.#calls.add(call)
    const sent = hasOwnStream ? this.#onStream.run(call, send) : send()
    return sent.finally(() => {
      this.#calls.delete(call)
      this.#handOut()
    })
  }

  /** A question that came as a request of the server. Resolves with what goes back. */
  elicited(params: unknown, signal: AbortSignal): Promise<RemoteAnswer> {
    const request = readRequest(params)
    if ('fault' in request) {
      this.#ignored(`It ${request.fault}.`)
      return Promise.resolve(CANCEL)
    }
    const call = this.#onStream.getStore()
    return new Promise((respond) => {
      signal.addEventListener('abort', () => respond(CANCEL), { once: true })
      if (call && !call.isOver) call.question({ request, respond })
      else this.#queue({ request, respond })
    })
  }

  close(reason: McpError): void {
    for (const call of this.#calls) call.abort(reason)
    for (const { respond } of this.#waiting) respond(CANCEL)
    this.#waiting = []
  }

  #queue(question: WaitingQuestion): void {
    if (this.#calls.size === 0 || this.#waiting.length >= MOST_WAITING) {
      this.#ignored('It asked a question that belongs to no call.')
      return question.respond(CANCEL)
    }
    this.#waiting.push(question)
    this.#handOut()
  }

  #handOut(): void {
    if (this.#calls.size === 0) return this.#cancelAll()
    const open = [...this.#calls].filter((call) => !call.isAsking)
    if (open.length === 0 || open.length > this.#waiting.length) return
    if (new Set(open.map((call) => call.runKey)).size > 1)
      return this.#cancelAll(
        'It asked while calls of several runs were open, and does not say whose question it is.',
      )
    for (const call of open) call.question(this.#waiting.shift()!)
  }

  #cancelAll(why?: string): void {
    if (this.#waiting.length > 0 && why !== undefined) this.#ignored(why)
    for (const { respond } of this.#waiting.splice(0)) respond(CANCEL)
  }
}
