/** Converts the events of a run to the AI SDK's UI message stream. */
import type { ChatEvent } from '../../messages/chat-event.ts'
import { isAbort, shownError } from '../shown/shown-error.ts'
import type { PageStreamOptions } from '../stream/page-stream-options.ts'
import type { StreamConverter } from '../stream/stream-converter.ts'
import { CHUNK_HANDLERS } from './chunk-handlers.ts'
import { sendParts } from './message-chunks.ts'
import { NestedChunks } from './nested-chunks.ts'
import type { UiPart } from './ui-message.ts'
import { UiMessageWriter } from './ui-message-writer.ts'

export class UiMessageConverter implements StreamConverter {
  readonly #message: UiMessageWriter
  readonly #nested: NestedChunks
  readonly #messageId: string
  readonly #earlier: readonly UiPart[]
  /** That of the run itself, not of those inside of its tools. */
  #runId: string | undefined

  constructor(messageId: string, options: PageStreamOptions, earlier: readonly UiPart[]) {
    this.#messageId = messageId
    this.#earlier = earlier
    this.#message = new UiMessageWriter(options)
    this.#nested = new NestedChunks(this.#message)
  }

  begin(): string {
    this.#message.send({ type: 'start', messageId: this.#messageId })
    return this.#message.take()
  }

  earlier(): string {
    const { output } = this.#message.options
    const message = new UiMessageWriter(output ? { output } : {})
    sendParts(message, this.#earlier)
    return message.take()
  }

  of(event: ChatEvent): string {
    const message = this.#message
    const { parentCallId } = event
    if (parentCallId === undefined) this.#runId ??= event.runId
    if (parentCallId !== undefined && !this.#isShown(event, parentCallId)) {
      this.#nested.of(event, parentCallId)
      return message.take()
    }
    if (parentCallId === undefined && event.type !== 'notice' && event.type !== 'suspended')
      message.inRound(event.round)
    // A program that gives events of its own may give some that nobody knows.
    const handle = CHUNK_HANDLERS[event.type] as Handle | undefined
    handle?.(message, event)
    return message.take()
  }

  failed(thrown: unknown): string {
    const message = this.#message
    if (isAbort(thrown)) message.send({ type: 'abort' })
    else message.send({ type: 'error', errorText: shownError(thrown, message.options).message })
    return message.take()
  }

  end(): string {
    return 'data: [DONE]\n\n'
  }

  /**
   * A call that a tool made and that somebody had to decide stands in the message itself. Its id begins with that of the
   * tool's call. Those of a run inside of a tool may be the same as any of this run, and stay inside.
   */
  #isShown(event: ChatEvent, parentCallId: string): boolean {
    if (event.type !== 'tool-result' && event.type !== 'tool-progress') return false
    const isOfRun = event.runId === undefined || event.runId === (this.#runId ?? event.runId)
    const { id } = event.toolCall
    return isOfRun && id.startsWith(`${parentCallId}/`) && this.#message.knows(id)
  }
}

type Handle = (message: UiMessageWriter, event: ChatEvent) => void
