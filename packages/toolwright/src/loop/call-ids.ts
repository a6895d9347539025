/**
 * Ids stay as sent; only an empty or repeated one, or one with a `/`, is replaced, before anything runs, and the same way
 * in every event. Repeated means: sent before in this run, whatever of it the model still sees, or used in the messages
 * that the model was sent. A `/` stands in the ids of calls that a tool makes. Idempotency keys are made of these ids.
 */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { ToolCall } from '../messages/message.ts'
import type { Ids } from '../ports/ids.ts'

/** The calls that came with one id, in the order of coming. */
interface SentCalls {
  /** Their ids in this run. */
  readonly own: string[]
  /** How many of them are complete. */
  completed: number
}

export class CallIds {
  readonly #ids: Ids
  readonly #takenBefore: () => ReadonlySet<string>
  readonly #calls = new Map<string, SentCalls>()
  /** Of the calls of this answer. */
  readonly #own = new Set<string>()
  /** Asked for with the first call of an answer. */
  #taken: ReadonlySet<string> | undefined

  /** @param takenBefore ids that no call of this answer may have */
  constructor(ids: Ids, takenBefore: () => ReadonlySet<string>) {
    this.#ids = ids
    this.#takenBefore = takenBefore
  }

  event(event: ChatEvent): ChatEvent {
    if (event.type === 'tool-call-start') return withId(event, this.#name(event.id))
    if (event.type === 'tool-call') return { ...event, toolCall: this.#complete(event.toolCall) }
    return event.type === 'tool-call-delta' ? withId(event, this.named(event.id)) : event
  }

  /** The id in this run of a call that has started. */
  named(sent: string): string {
    return this.#calls.get(sent)?.own.at(-1) ?? sent
  }

  response(response: ChatResponse): ChatResponse {
    for (const calls of this.#calls.values()) calls.completed = 0
    let isSame = true
    const results = response.results.map((generation) => {
      const { message } = generation
      if (typeof message.content === 'string') return generation
      const content = message.content.map((part) =>
        part.type === 'tool-call' ? this.#complete(part) : part,
      )
      if (content.every((part, index) => part === message.content[index])) return generation
      isSame = false
      return { ...generation, message: { ...message, content } }
    })
    return isSame ? response : { ...response, results }
  }

  #complete(toolCall: ToolCall): ToolCall {
    const { id } = toolCall
    const calls = this.#calls.get(id)
    const own = calls?.own[calls.completed] ?? this.#name(id)
    this.#calls.get(id)!.completed++
    return own === id ? toolCall : { ...toolCall, id: own }
  }

  #name(sent: string): string {
    const taken = (this.#taken ??= this.#takenBefore())
    let own = sent
    let made = ''
    // Ids of the program's own making may repeat too.
    for (let n = 1; !own?.trim() || own.includes('/') || taken.has(own) || this.#own.has(own); n++)
      own = n === 1 ? (made = this.#ids.next('call').replaceAll('/', '_')) : `${made}_${n}`
    this.#own.add(own)
    const calls = this.#calls.get(sent)
    if (calls) calls.own.push(own)
    else this.#calls.set(sent, { own: [own], completed: 0 })
    return own
  }
}

const withId = <E extends { readonly id: string }>(event: E, id: string): E =>
  event.id === id ? event : { ...event, id }
