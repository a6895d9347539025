/** What turns the events of a run into the text of a protocol. Each returns text to be sent, which may be empty. */
import type { ChatEvent } from '../../messages/chat-event.ts'

export interface StreamConverter {
  begin(): string
  /** After the beginning, and only for those who come back: what the page had before this run went on. */
  earlier?(): string
  of(event: ChatEvent): string
  /** The run was aborted, or failed. */
  failed(thrown: unknown): string
  /** Last, however the run ended. */
  end(): string
}

/** One event of a server-sent stream. */
export const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
