/** A run as the answer to a request: its events, converted, as a server-sent stream. */
import { ConfigurationError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import { SSE_HEADERS } from './sse-headers.ts'
import { PageStream } from './page-stream.ts'
import type { PageStreamOptions } from './page-stream-options.ts'
import type { StreamConverter } from './stream-converter.ts'

export interface Streaming {
  readonly converter: StreamConverter
  readonly headers: { readonly [name: string]: string }
  readonly options: PageStreamOptions
}

export function streamResponse(
  run: AsyncIterable<ChatEvent>,
  { converter, headers, options }: Streaming,
): Response {
  const { replay, onLeave = replay ? 'finish' : 'abort', onError } = options
  if (typeof (run as Partial<typeof run> | undefined)?.[Symbol.asyncIterator] !== 'function')
    throw new ConfigurationError(
      'invalid-option',
      'The first argument is no run: give client.prompt(...).stream(), .call(), or events.',
    )
  const stream = new PageStream(run[Symbol.asyncIterator](), {
    converter,
    onLeave,
    onError,
    kept: replay && replay.store.begin(replay.key),
  })
  return new Response(stream.body(), {
    headers: { ...SSE_HEADERS, ...headers, ...options.headers },
  })
}
