/** Reads a stream into one answer, for loops written by hand. */
import { ModelResponseError } from '../errors/errors.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'

/** Reads to the end. Rejects if the events end without a `response`. */
export async function aggregate(events: AsyncIterable<ChatEvent>): Promise<ChatResponse> {
  let response: ChatResponse | undefined
  for await (const event of events) if (event?.type === 'response') response = event.response
  if (response) return response
  throw new ModelResponseError('incomplete-stream', 'The events ended without a response.')
}
