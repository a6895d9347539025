/**
 * What a stranger may read of a run: what `toReadableStream()` sends to a page. Each is an event of the run with
 * fewer fields. Never in it: suspended states, what tools take and return, the system prompt and the rest of the
 * conversation, the items, signatures and metadata of providers, results labelled as private.
 */
import type { FinishReason, Usage } from '../messages/chat-response.ts'
import type { EventOrigin } from '../messages/chat-event.ts'
import type { Json } from '../messages/json.ts'
import type { MediaPart, ReasoningPart, TextPart } from '../messages/message.ts'
import type { PendingCall } from '../messages/run-state.ts'

/** Which call an event is about. Its arguments are left out. */
export interface PublicToolCall {
  readonly id: string
  readonly name: string
}

/** Parts of an answer or a result, without settings for providers and labels. Reasoning only where it was asked for. */
export type PublicPart =
  | Pick<TextPart, 'type' | 'text'>
  | Pick<MediaPart, 'type' | 'mediaType' | 'data' | 'url' | 'name'>
  | Pick<ReasoningPart, 'type' | 'text'>

/** The answer: its text and media. */
export interface PublicResponse {
  readonly results: readonly {
    readonly message: {
      readonly role: 'assistant'
      readonly content: string | readonly PublicPart[]
    }
    readonly finishReason: FinishReason
  }[]
  readonly usage: Usage
}

export type PublicEvent = EventOrigin &
  (
    | { readonly type: 'text-delta'; readonly text: string }
    /** Only with `{ reasoning: true }`. */
    | { readonly type: 'reasoning-delta'; readonly text: string }
    | { readonly type: 'tool-call-start'; readonly id: string; readonly name: string }
    /** Media, and with `{ reasoning: true }` reasoning that came in one piece. */
    | { readonly type: 'part'; readonly part: PublicPart }
    | { readonly type: 'tool-execution-start'; readonly toolCall: PublicToolCall }
    /** `progress` as JSON. */
    | {
        readonly type: 'tool-progress'
        readonly toolCall: PublicToolCall
        readonly progress?: Json
      }
    /** What the model reads of the result. Without `content`: the result is labelled as private. */
    | {
        readonly type: 'tool-result'
        readonly toolCall: PublicToolCall
        readonly response: {
          readonly content?: string | readonly PublicPart[]
          readonly isError?: true
        }
      }
    /** What the run waits for. Its `input` is there: whoever decides must see it. The state stays with the program. */
    | { readonly type: 'suspended'; readonly pending: readonly PendingCall[] }
    | { readonly type: 'notice'; readonly code: string; readonly message: string }
    | { readonly type: 'round-end' }
    /** The last line of a run that ended well. */
    | { readonly type: 'response'; readonly response: PublicResponse }
    | ErrorLine
  )

/** The last line of a run that failed. */
export interface ErrorLine {
  readonly type: 'error'
  /** A code of the catalogue; `aborted`, or `run-failed` for what the library does not know. */
  readonly code: string
  /** Redacted. Of an error that the library does not know, nothing but that there was one. */
  readonly message: string
}

export interface ReadableStreamOptions {
  /** Sends the model's reasoning too. Default false. */
  readonly reasoning?: boolean
  /**
   * Sends every event with everything in it: states that can be resumed, the whole conversation, the raw results
   * of tools. Only for readers that you trust like your own program. Default false.
   */
  readonly full?: boolean
}
