/** Who asks over HTTP, and what those are told who do not say it, or say it wrongly. */
import { redact } from 'toolwright'
import { ANYBODY } from './peer.ts'
import { isSame, type Sign } from './sealing.ts'
import type { Principal, ServeAuth } from './serve-tools-options.ts'
import type { Serving } from './serving.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'
const TOKEN_HOLDER: Principal = { id: 'token' }

/** The caller, or the response that refuses the request. */
export async function authenticate(
  { options, sign }: Pick<Serving, 'options' | 'sign'>,
  request: Request,
): Promise<Principal | Response> {
  const { auth, logger } = options
  if (!auth) return ANYBODY
  const [, token] = /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (token === undefined) return unauthorized(auth, undefined)
  const failed = (thrown: unknown): void =>
    logger?.warn(`MCP: verify failed: ${redact(String(thrown))}`)
  const presented = { token, request, sign, failed }
  return (await principalOf(auth, presented)) ?? unauthorized(auth, 'invalid_token')
}

interface Presented {
  readonly token: string
  readonly request: Request
  readonly sign: Sign
  /** Told of a check that could not be made. */
  failed(thrown: unknown): void
}

async function principalOf(
  auth: ServeAuth,
  { token, request, sign, failed }: Presented,
): Promise<Principal | undefined> {
  if ('token' in auth) return (await isSame(sign, token, auth.token)) ? TOKEN_HOLDER : undefined
  try {
    const principal = await auth.verify(token, request)
    return typeof principal?.id === 'string' && principal.id !== '' ? principal : undefined
  } catch (thrown) {
    // A check that fails lets no caller in.
    failed(thrown)
    return undefined
  }
}

function unauthorized(auth: ServeAuth, error: string | undefined): Response {
  const { resource } = auth as Exclude<ServeAuth, { token: string }>
  const facts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(resource ? [`resource_metadata="${metadataUrl(resource.url)}"`] : []),
    ...(resource?.scopes ? [`scope="${resource.scopes.join(' ')}"`] : []),
  ]
  const challenge = facts.length > 0 ? `Bearer ${facts.join(', ')}` : 'Bearer'
  return new Response('A valid bearer token is needed.', {
    status: 401,
    headers: { 'WWW-Authenticate': challenge, 'Content-Type': 'text/plain' },
  })
}

function metadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`
}

export const isMetadataPath = (pathname: string): boolean =>
  pathname === WELL_KNOWN || pathname.startsWith(`${WELL_KNOWN}/`)

/** The protected resource metadata of RFC 9728. */
export function metadataResponse(auth: ServeAuth | undefined, request: Request): Response {
  const resource = auth && 'resource' in auth ? auth.resource : undefined
  if (!resource) return new Response(null, { status: 404 })
  if (request.method !== 'GET')
    return new Response(null, { status: 405, headers: { Allow: 'GET' } })
  return Response.json({
    resource: resource.url,
    authorization_servers: resource.authorizationServers,
    bearer_methods_supported: ['header'],
    ...(resource.scopes && { scopes_supported: resource.scopes }),
  })
}
