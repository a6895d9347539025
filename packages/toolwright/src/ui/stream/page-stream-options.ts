/** What both kinds of streams for pages can be told. */
import { checkOptions } from '../../internal/check-options.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import {
  checkKinds,
  FUNCTION,
  OBJECT,
  oneOf,
  TRUTH,
  type Kinds,
} from '../../schema/option-kinds.ts'
import type { Continuation } from '../page/continuation.ts'
import type { StreamStore } from '../replay/stream-store.ts'

export type ToolResultEvent = Extract<ChatEvent, { readonly type: 'tool-result' }>

/** Where a running stream is kept, so that a browser that comes back gets it from its beginning. */
export interface ReplayOptions {
  /** Keeps the streams, each until it ends. */
  readonly store: StreamStore
  /** Names the stream: the chat, and whose it is. Whoever knows a key can read the stream. */
  readonly key: string
}

export interface PageStreamOptions {
  /** What a page decided, if this run goes on with an earlier one: as `fromUiMessages` or `fromAgUiInput` gave it. */
  readonly continuation?: Continuation | undefined
  /** Sends the model's reasoning. Default true. */
  readonly reasoning?: boolean
  /** Sends what errors say, redacted. Default false: a page reads that something failed, and nothing of it. */
  readonly showErrors?: boolean
  /** Shows what happens inside of tools that ask models or call tools. Default false. */
  readonly nested?: boolean
  /**
   * Sends what the provider did itself, and its signatures. `useChat` of `ai` 6 breaks off at them. Default false.
   */
  readonly providerParts?: boolean
  /** What a page reads of a result. Default: what the model reads of it, JSON text as JSON, nothing of a private one. */
  readonly output?: (result: ToolResultEvent) => unknown
  /**
   * What becomes of the run when the browser leaves: `abort` it, model and tools included, or let it `finish`. Default:
   * `finish` with `replay`, otherwise `abort`.
   */
  readonly onLeave?: 'abort' | 'finish'
  /** Keeps the stream while it runs, for `replayStream`. */
  readonly replay?: ReplayOptions
  /** Is told what the run failed with, of which the page reads little. */
  readonly onError?: (error: unknown) => void
  /** Sent besides those of the protocol. */
  readonly headers?: { readonly [name: string]: string }
}

export const PAGE_STREAM_KINDS: Kinds<PageStreamOptions> = {
  continuation: OBJECT,
  reasoning: TRUTH,
  showErrors: TRUTH,
  nested: TRUTH,
  providerParts: TRUTH,
  output: FUNCTION,
  onLeave: oneOf('abort', 'finish'),
  replay: OBJECT,
  onError: FUNCTION,
  headers: OBJECT,
}

/** Refuses an option that is unknown or of the wrong kind. */
export function checkStreamOptions<Options extends object>(
  where: string,
  options: Options,
  kinds: Kinds<Options>,
): void {
  checkOptions(where, options, Object.keys(kinds))
  checkKinds(where, options, kinds)
}
