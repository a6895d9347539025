/** A run for `useChat`. */
import type { ChatEvent } from '../../messages/chat-event.ts'
import { systemIds } from '../../ports/ids.ts'
import { OBJECT, TEXT, type Kinds } from '../../schema/option-kinds.ts'
import {
  checkStreamOptions,
  PAGE_STREAM_KINDS,
  type PageStreamOptions,
} from '../stream/page-stream-options.ts'
import { streamResponse } from '../stream/stream-response.ts'
import { earlierParts, type ShownState } from './earlier-parts.ts'
import { UI_MESSAGE_HEADERS } from './ui-message-headers.ts'
import { UiMessageConverter } from './ui-message-converter.ts'

export interface UiMessageStreamOptions extends PageStreamOptions {
  /** The id of the message that the page makes of it. Default: that of the continuation, or a new one. */
  readonly messageId?: string
  /**
   * The state that a run goes on with, for `replay`: the message has a beginning, which a browser that comes back needs
   * and the one that is there does not get again. Without it a run that goes on is not kept.
   */
  readonly state?: ShownState | undefined
}

const KINDS: Kinds<UiMessageStreamOptions> = {
  ...PAGE_STREAM_KINDS,
  messageId: TEXT,
  state: OBJECT,
}

/**
 * A run as the AI SDK's UI message stream (version 1), which `useChat` of `ai` 6 and 7 reads. Takes a run that is called
 * or streamed, or the events of one. What waits for somebody is asked of the page; what it answers is read by
 * `fromUiMessages`. A run that fails ends with an error that says nothing of it, unless `showErrors` says otherwise.
 *
 * @example
 * return toUiMessageStream(client.prompt(messages).stream())
 */
export function toUiMessageStream(
  run: AsyncIterable<ChatEvent>,
  options: UiMessageStreamOptions = {},
): Response {
  checkStreamOptions('toUiMessageStream()', options, KINDS)
  const { continuation, state, replay, ...rest } = options
  const messageId = options.messageId ?? continuation?.messageId ?? systemIds.next('msg')
  const earlier = continuation && state ? earlierParts(state, continuation) : []
  const converter = new UiMessageConverter(messageId, options, earlier)
  // Half of a message is no stream to come back to: the page would break off at a call it has not heard of.
  const isWhole = !continuation || state !== undefined
  const kept = replay && { onLeave: 'finish' as const, ...rest, ...(isWhole && { replay }) }
  return streamResponse(run, { converter, headers: UI_MESSAGE_HEADERS, options: kept ?? rest })
}
