/** Ids stay as sent; only an empty or repeated one is replaced, before anything runs, and the same way in every event. */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { AssistantPart, Message, ToolCall } from '../messages/message.ts'
import type { Ids } from '../ports/ids.ts'

interface NamedCall {
  readonly sent: string
  readonly own: string
  completed: boolean
}

export class CallIds {
  readonly #ids: Ids
  readonly #history: readonly Message[]
  readonly #calls: NamedCall[] = []

  constructor(history: readonly Message[], ids: Ids) {
    this.#history = history
    this.#ids = ids
  }

  event(event: ChatEvent): ChatEvent {
    if (event.type === 'tool-call-start') return withId(event, this.#name(event.id).own)
    if (event.type === 'tool-call') return { ...event, toolCall: this.#complete(event.toolCall) }
    return event.type === 'tool-call-delta' ? withId(event, this.named(event.id)) : event
  }

  /** The id in this run of a call that has started. */
  named(sent: string): string {
    return this.#calls.findLast((call) => call.sent === sent)?.own ?? sent
  }

  response(response: ChatResponse): ChatResponse {
    for (const call of this.#calls) call.completed = false
    const results = response.results.map((generation) => {
      const { message } = generation
      if (typeof message.content === 'string') return generation
      const content = message.content.map((part) =>
        part.type === 'tool-call' ? this.#complete(part) : part,
      )
      const same = content.every((part, index) => part === message.content[index])
      return same ? generation : { ...generation, message: { ...message, content } }
    })
    return { ...response, results }
  }

  #complete(toolCall: ToolCall): ToolCall {
    const { id } = toolCall
    const call = this.#calls.find((open) => open.sent === id && !open.completed) ?? this.#name(id)
    call.completed = true
    return call.own === id ? toolCall : { ...toolCall, id: call.own }
  }

  #name(sent: string): NamedCall {
    // Looked for one by one: a round has few calls, and a set of all earlier ids would be made anew for each.
    const isFree =
      sent.trim() !== '' &&
      !this.#calls.some(({ own }) => own === sent) &&
      !this.#history.some(
        ({ role, content }: { readonly role: string; readonly content?: unknown }) =>
          role === 'assistant' &&
          Array.isArray(content) &&
          content.some((part: AssistantPart) => part.type === 'tool-call' && part.id === sent),
      )
    const call = { sent, own: isFree ? sent : this.#ids.next('call'), completed: false }
    this.#calls.push(call)
    return call
  }
}

const withId = <E extends { readonly id: string }>(event: E, id: string): E =>
  event.id === id ? event : { ...event, id }
