/** A server at an address, as the SDK's transport: with the program's headers and sign-in, and bounded answers. */
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { ConfigurationError } from 'toolwright'
import { boundedFetch } from './bounded-fetch.ts'
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
    fetch: boundedFetch(server.fetch ?? fetch),
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
