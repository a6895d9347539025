/** What every open page hears of. */
import type { ConversationRow } from '../protocol/conversation.ts'
import type { NewsEvent } from '../protocol/news.ts'
import { EventLog, type Without } from '../server/event-log.ts'
import type { EventStream } from '../server/send-events.ts'

/** A page that is further behind hears how things are when it asks again. */
const KEPT = 1000

export class News {
  readonly #log = new EventLog<NewsEvent>({ keep: KEPT })

  tools(revision: number): void {
    this.#log.append({ type: 'tools', revision })
  }

  conversation(row: ConversationRow): void {
    this.#log.append({ type: 'conversation', row })
  }

  deleted(id: string): void {
    this.#log.append({ type: 'conversation-deleted', id })
  }

  inbox(waiting: number): void {
    this.#log.append({ type: 'inbox', waiting })
  }

  /** How things are now, then what changes. */
  stream(
    now: Without<Extract<NewsEvent, { readonly type: 'hello' }>, 'seq' | 'type'>,
  ): EventStream {
    const { last } = this.#log
    return { log: this.#log, after: last, first: { seq: last, type: 'hello', ...now } as NewsEvent }
  }

  close(): void {
    this.#log.end()
  }
}
