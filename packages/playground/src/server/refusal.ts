/** Why a request is not done, as the page gets it. Thrown by whoever finds out; `answer-error` makes the answer of it. */
import type { Refused } from '../protocol/routes.ts'
import type { RefusedDecision } from '../protocol/shown-content.ts'

export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly #facts: Pick<RefusedDecision, 'callId' | 'issues'>

  /** The message says what happened and what to do. */
  constructor(status: number, code: string, { message, ...facts }: Omit<RefusedDecision, 'code'>) {
    super(message)
    this.status = status
    this.code = code
    this.#facts = facts
  }

  get body(): Refused {
    const { code, message } = this
    return { error: { code, message, ...this.#facts } }
  }
}

export const notFound = (message: string): Refusal => new Refusal(404, 'not-found', { message })
