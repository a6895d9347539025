/**
 * Calls whose server waits for a person's answer. They are kept open in this process for a while, by a token that the
 * suspended run's state holds; a run that is resumed later, or elsewhere, calls anew.
 */
import { randomUUID } from 'node:crypto'
import type { AskedQuestion, LiveCall } from './live-call.ts'

/** How long a call is kept open for an answer, in ms. */
const HOLD_MS = 10 * 60_000
const MOST_HELD = 256

interface HeldCall extends AskedQuestion {
  readonly call: LiveCall
  readonly timer: NodeJS.Timeout
}

export class HeldCalls {
  readonly #held = new Map<string, HeldCall>()

  /** @returns the token */
  hold(call: LiveCall, asked: AskedQuestion): string {
    const token = randomUUID()
    call.detach()
    const timer = setTimeout(() => this.giveUp(token), HOLD_MS)
    timer.unref()
    this.#held.set(token, { ...asked, call, timer })
    const [oldest] = this.#held.keys()
    if (this.#held.size > MOST_HELD) this.giveUp(oldest!)
    return token
  }

  /** Undefined if it was given up, is over, or is another process's. */
  take(token: string): (AskedQuestion & { readonly call: LiveCall }) | undefined {
    const held = this.#held.get(token)
    if (!held) return undefined
    this.#held.delete(token)
    clearTimeout(held.timer)
    return held.call.isOver ? undefined : held
  }

  close(): void {
    for (const token of this.#held.keys()) this.giveUp(token)
  }

  /** The call is cancelled at the server, and so is the question that it waits with. */
  giveUp(token: string): void {
    const held = this.#held.get(token)
    if (!held) return
    this.#held.delete(token)
    clearTimeout(held.timer)
    held.call.abort(new Error('The question was not answered.'))
    held.respond({ action: 'cancel' })
  }
}
