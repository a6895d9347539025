/** A server that wants somebody to sign in, and is its own authorization server; and a person who does. */
import type { McpAuth } from '@toolwright/mcp'
import { httpServer, type AskedRequest, type TestServer } from './http-server.ts'

export interface SignInServerOptions {
  /** Where it sends people. Default: its own page. */
  readonly authorizationEndpoint?: string
  /** Whether a request with this token is let in. Default: those that were given out. */
  readonly accepts?: (token: string, asked: AskedRequest) => boolean
}

/** Counts the tokens that it gave out, by their number. */
export async function signInServer(
  options: SignInServerOptions = {},
): Promise<TestServer & { tokens(): number }> {
  let tokens = 0
  const { accepts = (token) => token === `token-${tokens}` } = options
  const server = await httpServer({
    intercept: (asked, response) => {
      const origin = `http://${String(asked.headers.host)}`
      const json = (body: object, status = 200): true => {
        const headers = { 'content-type': 'application/json' }
        response.writeHead(status, headers).end(JSON.stringify(body))
        return true
      }
      if (asked.path.startsWith('/.well-known/'))
        return json({
          resource: `${origin}/mcp`,
          authorization_servers: [origin],
          issuer: origin,
          authorization_endpoint: options.authorizationEndpoint ?? `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        })
      if (asked.path === '/token')
        return json({ access_token: `token-${++tokens}`, token_type: 'Bearer' })
      const token = /^Bearer (.+)$/.exec(String(asked.headers.authorization))?.[1] ?? ''
      if (accepts(token, asked)) return false
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
      response
        .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` })
        .end()
      return true
    },
  })
  return Object.assign(server, { tokens: () => tokens })
}

export interface Person extends McpAuth {
  /** Where the person was sent. */
  readonly visited: readonly URL[]
}

/** Comes back with a code; `answer` may change what the browser comes back with. */
export function person(answer: (back: URL) => URL = (back) => back): Person {
  const visited: URL[] = []
  let tokens: Awaited<ReturnType<McpAuth['tokens']>>
  let verifier = ''
  return {
    visited,
    redirectUrl: 'http://127.0.0.1:1/callback',
    clientMetadata: { redirect_uris: ['http://127.0.0.1:1/callback'] },
    clientInformation: () => ({ client_id: 'me' }),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (url) => void visited.push(url),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    authorizationResponse: () => {
      const back = new URL('http://127.0.0.1:1/callback?code=abc')
      back.searchParams.set('state', visited.at(-1)!.searchParams.get('state') ?? '')
      return Promise.resolve(answer(back))
    },
  }
}
