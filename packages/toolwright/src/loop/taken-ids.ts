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
  #messages: Seen<Message> = { list: NONE, length: 0 }
  #rounds: Seen<ChatResponse> = { list: NONE, length: 0 }

  /** All ids so far. */
  among(messages: readonly Message[], progress: RunProgress | undefined): ReadonlySet<string> {
    const { rounds = NONE, usedCallIds = NONE } = progress ?? {}
    for (const id of usedCallIds) this.#ids.add(id)
    this.#messages = this.#add(messages, this.#messages)
    this.#rounds = this.#add(rounds, this.#rounds)
    return this.#ids
  }

  #add<Said extends Message | ChatResponse>(all: readonly Said[], before: Seen<Said>): Seen<Said> {
    for (let at = 0; at < all.length; at++) {
      const said = all[at]!
      if (at < before.length && said === before.list[at]) continue
      for (const { id } of toolCallsOf(said)) this.#ids.add(id)
    }
    return { list: all, length: all.length }
  }
}

/** A list as it was looked at: its owner may have pushed to it since. */
interface Seen<Said> {
  readonly list: readonly Said[]
  readonly length: number
}
