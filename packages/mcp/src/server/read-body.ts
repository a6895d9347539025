/** Reads the JSON of a request, within limits of size and depth. */
import { rpcError } from './rpc-error.ts'
import type { Sdk } from './sdk.ts'

/** Deeper than any arguments are; what walks values by recursion must not be brought to its end. */
const MOST_DEPTH = 128
const MOST_BODY_BYTES = 4 * 1024 * 1024

/** The parsed body, or the response that refuses it. */
export async function readBody(
  sdk: Sdk,
  request: Request,
  maxBytes = MOST_BODY_BYTES,
): Promise<{ readonly json: unknown } | Response> {
  if (!sdk.isJsonContentType(request.headers.get('content-type')))
    return rpcError(415, -32000, 'Unsupported Media Type: Content-Type must be application/json')
  const read = await sdk.readRequestBody(request, maxBytes)
  if (read.tooLarge) return rpcError(413, -32600, `A request has at most ${maxBytes} bytes.`)
  try {
    const json: unknown = JSON.parse(read.text)
    if (depthOf(json) > MOST_DEPTH)
      return rpcError(400, -32600, `A request is at most ${MOST_DEPTH} levels deep.`)
    return { json }
  } catch {
    return rpcError(400, -32700, 'Parse error: this is not JSON.')
  }
}

/** Level by level, so that depth costs no stack. */
function depthOf(json: unknown): number {
  let depth = 0
  let level: unknown[] = [json]
  while (level.length > 0 && depth <= MOST_DEPTH) {
    depth++
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return depth
}
