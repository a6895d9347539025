/**
 * What a streamed answer says while it arrives: the first piece of the assembler kit. A converter calls
 * these methods, the adapter takes the events. Empty pieces are dropped here, once for all dialects.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { AssistantPart } from '../../messages/message.ts'

export class AnswerEvents {
  #events: ChatEvent[] = []
  #text = ''
  #openCall: string | undefined
  readonly #isSilent: boolean
  readonly #ownName: (wireName: string) => string

  /**
   * @param isSilent for further choices of one answer, which are not told live
   * @param ownName the name of a tool by its name on the wire
   */
  constructor(isSilent = false, ownName = (wireName: string): string => wireName) {
    this.#isSilent = isSilent
    this.#ownName = ownName
  }

  /** All text so far: what an error carries as `partial`. */
  get partial(): string {
    return this.#text
  }

  /** The tool whose call began last and is not complete, for the words of an error. */
  get openCall(): string | undefined {
    return this.#openCall
  }

  text(text: string): void {
    if (text === '') return
    this.#text += text
    this.#push({ type: 'text-delta', text })
  }

  reasoning(text: string): void {
    if (text !== '') this.#push({ type: 'reasoning-delta', text })
  }

  callStart(id: string, wireName: string): void {
    const name = this.#ownName(wireName)
    this.#openCall = name
    this.#push({ type: 'tool-call-start', id, name })
  }

  callDelta(id: string, delta: string): void {
    if (delta !== '') this.#push({ type: 'tool-call-delta', id, delta })
  }

  /** A part of the message that is complete. Text has been told by its deltas. */
  complete(part: AssistantPart): void {
    if (part.type === 'tool-call') {
      this.#openCall = undefined
      const name = this.#ownName(part.name)
      this.#push({ type: 'tool-call', toolCall: name === part.name ? part : { ...part, name } })
    } else if (part.type !== 'text') {
      this.#push({ type: 'part', part })
    }
  }

  /** The stream goes on, but something in it was wrong. */
  notice(code: string, message: string): void {
    this.#push({ type: 'notice', code, message })
  }

  /** The error for a stream that cannot be read on. */
  invalid(what: string): ModelResponseError {
    return new ModelResponseError('invalid-response', `The stream is not valid: ${what}.`, {
      partial: this.#text,
    })
  }

  /** The events since the last time. */
  take(): ChatEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  #push(event: ChatEvent): void {
    if (!this.#isSilent) this.#events.push(event)
  }
}
