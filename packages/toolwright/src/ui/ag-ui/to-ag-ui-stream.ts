/** A run for clients of AG-UI. */
import type { ChatEvent } from '../../messages/chat-event.ts'
import { ConfigurationError } from '../../errors/errors.ts'
import { TEXT, type Kinds } from '../../schema/option-kinds.ts'
import {
  checkStreamOptions,
  PAGE_STREAM_KINDS,
  type PageStreamOptions,
} from '../stream/page-stream-options.ts'
import { streamResponse } from '../stream/stream-response.ts'
import { AgUiConverter } from './ag-ui-converter.ts'

export interface AgUiStreamOptions extends PageStreamOptions {
  /** The conversation, as the client called it. */
  readonly threadId: string
  /** The run, as the client called it. */
  readonly runId: string
}

const KINDS: Kinds<AgUiStreamOptions> = { ...PAGE_STREAM_KINDS, threadId: TEXT, runId: TEXT }

/**
 * A run as events of AG-UI 1.0, which `HttpAgent` reads. Takes a run that is called or streamed, or the events of one.
 * What waits for somebody ends it with an interrupt for each call, or with pending calls if all of them are tools of the
 * page; what the client answers is read by `fromAgUiInput`.
 *
 * @example
 * const { threadId, runId, messages } = fromAgUiInput(await readPageBody(request))
 * return toAgUiStream(client.prompt(messages).stream(), { threadId, runId })
 */
export function toAgUiStream(run: AsyncIterable<ChatEvent>, options: AgUiStreamOptions): Response {
  checkStreamOptions('toAgUiStream()', options, KINDS)
  const { threadId, runId } = options ?? {}
  if (typeof threadId !== 'string' || typeof runId !== 'string')
    throw new ConfigurationError('invalid-option', 'toAgUiStream() takes threadId and runId.')
  const converter = new AgUiConverter({ threadId, runId }, options)
  return streamResponse(run, { converter, headers: {}, options })
}
