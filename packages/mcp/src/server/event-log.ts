/** The newest messages of one session, for a client that lost its connection and asks for what it missed. */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

interface Logged {
  readonly id: number
  readonly streamId: string
  readonly message: JSONRPCMessage
  readonly size: number
}

const MOST_EVENTS = 512
const MOST_CHARACTERS = 4 * 1024 * 1024

export class EventLog implements EventStore {
  #events: Logged[] = []
  #size = 0
  #last = 0

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const { length: size } = JSON.stringify(message)
    this.#events.push({ id: ++this.#last, streamId, message, size })
    this.#size += size
    while (this.#events.length > MOST_EVENTS || (this.#size > MOST_CHARACTERS && this.#events[1]))
      this.#size -= this.#events.shift()!.size
    return String(this.#last)
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#find(eventId)?.streamId
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { readonly send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#find(lastEventId)
    if (!last) throw new Error('This event is not kept any more.')
    const missed = this.#events.filter(
      ({ id, streamId }) => id > last.id && streamId === last.streamId,
    )
    for (const { id, message } of missed) await send(String(id), message)
    return last.streamId
  }

  #find(eventId: string): Logged | undefined {
    return this.#events.find(({ id }) => String(id) === eventId)
  }
}
