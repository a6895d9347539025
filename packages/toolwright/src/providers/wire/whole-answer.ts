/** An answer that came in one piece, as a response. Asked without a stream, or one that the server did not stream. */
import { ModelResponseError } from '../../errors/errors.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { TransportResponse } from '../../ports/transport.ts'
import type { ChatDialect } from './chat-dialect.ts'
import { readJson } from './exchange.ts'
import type { WireSettings } from './wire-settings.ts'

export async function wholeAnswer(
  response: TransportResponse,
  settings: WireSettings,
  dialect: ChatDialect,
): Promise<ChatResponse> {
  const body = await readJson(response, settings, dialect)
  try {
    return dialect.fromWire(body)
  } catch (thrown) {
    throw unreadable(thrown)
  }
}

/**
 * What a converter threw, as it is thrown on. JSON may be nested more deeply than any stack, and a converter that
 * follows it down runs out of stack; that is the fault of the answer.
 *
 * @param partial the text that had arrived
 */
export function unreadable(thrown: unknown, partial?: string): unknown {
  if (!(thrown instanceof RangeError)) return thrown
  return new ModelResponseError('invalid-response', 'The answer is nested too deeply to be read.', {
    ...(partial !== undefined && { partial }),
  })
}
