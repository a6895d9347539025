/** Between requests of `node:http` and web-standard ones. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/** Its signal is aborted when the client leaves before the response is complete. */
export function toWebRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort(new Error('The client has left.'))
  })
  const { method = 'GET', rawHeaders, headers: read } = incoming
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(incoming.url ?? '/', `http://${read.host ?? 'localhost'}`), {
    method,
    headers,
    signal: controller.signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  } as RequestInit)
}

export async function sendWebResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (!response.body) return void outgoing.end()
  outgoing.flushHeaders()
  const reader = response.body.getReader()
  const left = new Promise<void>((resolve) => outgoing.once('close', resolve))
  void left.then(() => reader.cancel().catch(() => {}))
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || outgoing.destroyed) break
      if (!outgoing.write(value)) await Promise.race([drained(outgoing), left])
    }
  } finally {
    outgoing.end()
  }
}

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => outgoing.once('drain', resolve))
