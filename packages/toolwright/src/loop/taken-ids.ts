/**
 * The ids that calls of a run have had: sent before in this run, or in the messages that the model was sent. What
 * was looked at is not looked at again, because a conversation grows by a few messages each round.
 */
import { NONE } from '../internal/nothing.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Message } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type { RunProgress } from '../messages/run-state.ts'

export class TakenIds {
  readonly #ids = new Set<string>()
  #messages: readonly Message[] = NONE
  #rounds: readonly ChatResponse[] = NONE

  /** All ids so far. */
  among(messages: readonly Message[], progress: RunProgress | undefined): ReadonlySet<string> {
    const { rounds = NONE, usedCallIds = NONE } = progress ?? {}
    for (const id of usedCallIds) this.#ids.add(id)
    this.#add(messages, this.#messages)
    this.#add(rounds, this.#rounds)
    this.#messages = messages
    this.#rounds = rounds
    return this.#ids
  }

  #add<Said extends Message | ChatResponse>(all: readonly Said[], before: readonly Said[]): void {
    for (let at = 0; at < all.length; at++) {
      const said = all[at]!
      if (said !== before[at]) for (const { id } of toolCallsOf(said)) this.#ids.add(id)
    }
  }
}
