/** What happens inside of a tool, as what its call has brought so far. Sent when something has ended, not with each delta. */
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { Json } from '../../messages/json.ts'
import { spokenText } from '../shown/spoken-text.ts'
import type { UiMessageWriter } from './ui-message-writer.ts'

interface Inside {
  text: string
  /** By call id. */
  readonly calls: Map<string, { readonly toolName: string; readonly state: string }>
}

/** By the call inside of which they are. */
export class NestedChunks {
  readonly #message: UiMessageWriter
  readonly #insides = new Map<string, Inside>()

  constructor(message: UiMessageWriter) {
    this.#message = message
  }

  of(event: ChatEvent, parentCallId: string): void {
    const { options } = this.#message
    if (!options.nested || !this.#message.knows(parentCallId)) return
    const inside = this.#insides.get(parentCallId) ?? { text: '', calls: new Map() }
    this.#insides.set(parentCallId, inside)
    if (note(inside, event)) this.#send(parentCallId, inside)
  }

  #send(toolCallId: string, { text, calls }: Inside): void {
    const list = [...calls].map(([id, call]): Json => ({ toolCallId: id, ...call }))
    const output: Json = { text, calls: list }
    this.#message.send({
      type: 'tool-output-available',
      toolCallId,
      output,
      preliminary: true,
      dynamic: true,
    })
  }
}

/** Whether there is something to show. */
function note(inside: Inside, event: ChatEvent): boolean {
  if (event.type === 'tool-call' || event.type === 'tool-execution-start') {
    const { id, name } = event.toolCall
    inside.calls.set(id, { toolName: name, state: 'running' })
    return true
  }
  if (event.type === 'tool-result') {
    const { id, name } = event.toolCall
    inside.calls.set(id, { toolName: name, state: event.response.isError ? 'failed' : 'done' })
    return true
  }
  if (event.type !== 'round-end') return false
  inside.text = spokenText(event.response)
  return inside.text !== ''
}
