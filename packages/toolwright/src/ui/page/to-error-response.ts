/** The answer to a request that cannot be taken, before a stream has begun. */
import { ToolwrightError, type PageError } from '../../errors/errors.ts'

/**
 * What is wrong with what a page sent, in words, with a status of its own: 400, 409 (decided already) or 413. Any other
 * error says only that the request failed, with status 500. `useChat` shows the text as its error.
 *
 * @example
 * app.onError((error) => toErrorResponse(error))
 */
export function toErrorResponse(error: unknown): Response {
  const status = statusOf(error)
  const text = status === 500 ? 'The request failed.' : (error as Error).message
  return new Response(text, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      // The rest of the body is not read, so the next request would come behind it.
      ...(status === 413 && { connection: 'close' }),
    },
  })
}

/** By name, because another copy of the package has other classes. */
function statusOf(error: unknown): number {
  if (!ToolwrightError.is(error)) return 500
  if (error.name === 'PageError') return (error as PageError).status
  if (error.name === 'ResumeError') return 409
  return error.code === 'invalid-message' ? 400 : 500
}
