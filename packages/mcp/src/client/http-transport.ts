/** A server at an address, as the SDK's transport: with the program's headers and sign-in, and bounded answers. */
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { ConfigurationError } from 'toolwright'
import { LARGEST_MESSAGE } from './line-reader.ts'
import type { HttpServer } from './mcp-tools-options.ts'
import { loadSdk } from './on-demand.ts'
import type { SignIn } from './sign-in.ts'

const WEB = /^https?:$/

export async function httpTransport(
  server: HttpServer,
  signIn: SignIn | undefined,
): Promise<StreamableHTTPClientTransport> {
  const { StreamableHTTPClientTransport } = await loadSdk()
  const { headers, auth } = server
  const bearer: { [name: string]: string } =
    typeof auth === 'string' ? { authorization: `Bearer ${auth}` } : {}
  return new StreamableHTTPClientTransport(addressOf(server), {
    requestInit: { headers: { ...headers, ...bearer } },
    fetch: bounded(server.fetch ?? fetch),
    ...(typeof auth === 'object' && { authProvider: signIn?.provider ?? auth }),
    // A lost stream is resumed where the server lets it; a call is never sent again by the transport.
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
  })
}

export function addressOf({ url }: HttpServer): URL {
  const address = URL.canParse(String(url)) ? new URL(String(url)) : undefined
  if (address && WEB.test(address.protocol)) return address
  throw new ConfigurationError(
    'invalid-option',
    `mcpTools(): url is an http: or https: address, not "${String(url)}".`,
  )
}

const bounded =
  (inner: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await inner(input, init)
    if (!response.body || response.status < 200) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const { status, statusText, headers } = response
    const limited = new Response(response.body.pipeThrough(byteLimit(isStream)), {
      status,
      statusText,
      headers,
    })
    // The SDK reads where the answer came from.
    Object.defineProperties(limited, {
      url: { value: response.url },
      redirected: { value: response.redirected },
      type: { value: response.type },
    })
    return limited
  }

/** Of a stream the bytes of each event count, of anything else all. */
function byteLimit(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  let lineBytes = 0
  const count = (chunk: Uint8Array): void => {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      // An empty line, but for a carriage return, ends an event.
      if (lineBytes + at - from <= 1) bytes = 0
      lineBytes = 0
      from = at + 1
    }
    lineBytes += chunk.length - from
  }
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (isStream) count(chunk)
      if (bytes > LARGEST_MESSAGE)
        controller.error(new RangeError(`The answer has more than ${LARGEST_MESSAGE} bytes.`))
      else controller.enqueue(chunk)
    },
  })
}

const NEWLINE = 10
