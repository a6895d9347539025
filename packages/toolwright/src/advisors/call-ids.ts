/** Ids stay as sent; only an empty or repeated one is replaced, before anything runs, and the same way in every event. */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { AssistantPart, Message } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type { Ids } from '../ports/ids.ts'

interface NamedCall {
  readonly sent: string
  readonly own: string
  completed: boolean
}

export class CallIds {
  readonly #ids: Ids
  readonly #history: readonly Message[]
  #taken: Set<string> | undefined
  readonly #calls: NamedCall[] = []

  constructor(history: readonly Message[], ids: Ids) {
    this.#history = history
    this.#ids = ids
  }

  event(event: ChatEvent): ChatEvent {
    switch (event.type) {
      case 'tool-call-start':
        return withId(event, this.#name(event.id).own)
      case 'tool-call-delta':
        return withId(
          event,
          this.#calls.findLast((call) => call.sent === event.id)?.own ?? event.id,
        )
      case 'tool-call': {
        const own = this.#complete(event.toolCall.id)
        return own === event.toolCall.id
          ? event
          : { ...event, toolCall: { ...event.toolCall, id: own } }
      }
      default:
        return event
    }
  }

  response(response: ChatResponse): ChatResponse {
    for (const call of this.#calls) call.completed = false
    let changed = false
    const results = response.results.map((generation) => {
      if (toolCallsOf(generation).length === 0) return generation
      const content = (generation.message.content as readonly AssistantPart[]).map((part) => {
        if (part.type !== 'tool-call') return part
        const own = this.#complete(part.id)
        if (own === part.id) return part
        changed = true
        return { ...part, id: own }
      })
      return { ...generation, message: { ...generation.message, content } }
    })
    return changed ? { ...response, results } : response
  }

  #complete(sent: string): string {
    const call =
      this.#calls.find((open) => open.sent === sent && !open.completed) ?? this.#name(sent)
    call.completed = true
    return call.own
  }

  #name(sent: string): NamedCall {
    this.#taken ??= new Set(this.#history.flatMap(toolCallsOf).map((earlier) => earlier.id))
    const free = sent.trim() !== '' && !this.#taken.has(sent)
    const call = { sent, own: free ? sent : this.#ids.next('call'), completed: false }
    this.#taken.add(call.own)
    this.#calls.push(call)
    return call
  }
}

const withId = <E extends { readonly id: string }>(event: E, id: string): E =>
  event.id === id ? event : { ...event, id }
