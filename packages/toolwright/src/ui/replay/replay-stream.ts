/** Answers a browser that comes back to a stream that still runs. */
import { UI_MESSAGE_HEADERS } from '../ai-sdk/ui-message-headers.ts'
import { SSE_HEADERS } from '../stream/sse-headers.ts'
import type { ReplayOptions } from '../stream/page-stream-options.ts'

/**
 * The stream from its first piece on, as long as it runs; status 204 when none does, which `useChat` takes for "nothing
 * to resume". A browser that leaves a replay changes nothing for the run.
 *
 * @example
 * app.get('/api/chat/:id/stream', (c) => replayStream({ store, key: `${user}/${c.req.param('id')}` }))
 */
export async function replayStream({ store, key }: ReplayOptions): Promise<Response> {
  const pieces = await store.read(key)
  if (!pieces) return new Response(null, { status: 204 })
  const reader = pieces[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      // Not awaited: a reader that waits for the next piece answers only then.
      cancel: () => void reader.return?.().catch(() => {}),
    },
    { highWaterMark: 0 },
  )
  // Those of both protocols: a client of the other one does not look at them.
  return new Response(body, { headers: { ...SSE_HEADERS, ...UI_MESSAGE_HEADERS } })
}

const encoder = new TextEncoder()
