/** The words both transports use when the network fails, so that a caller sees the same error from either. */
import { ProviderError } from '../../errors/errors.ts'
import { messageOfThrown } from '../../errors/message-of-thrown.ts'
import { redactKnown } from '../../errors/known-secrets.ts'
import { redactedCause } from '../../errors/redacted-cause.ts'
import type { TransportRequest } from '../../ports/transport.ts'
import { secretsOf } from './request-secrets.ts'

/** Failures that another try may not meet. Certificates, bad headers and non-HTTP answers stay as they are. */
const PASSING = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'EPROXY',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
])

export type Phase = 'before the answer' | 'inside the answer'

/** `thrown` as a `provider-unreachable` error. */
export function unreachable(
  request: TransportRequest,
  thrown: unknown,
  phase: Phase,
): ProviderError {
  const code = systemCode(thrown)
  const inside = phase === 'inside the answer'
  const what = inside ? `broke off ${phase}` : 'failed'
  // Runtimes quote the header or the address that they refuse.
  const secrets = secretsOf(request)
  const words = redactKnown(
    `${code === undefined ? '' : `${code}: `}${messageOfThrown(deepest(thrown))}`,
    secrets,
  )
  return new ProviderError(
    'provider-unreachable',
    `The connection to ${target(request)} ${what} (${words}).`,
    {
      provider: providerOf(request),
      retryable: inside || code === undefined || PASSING.has(code),
      cause: redactedCause(thrown, secrets),
    },
  )
}

/** How long the start of the answer is awaited. */
export const firstByteMs = ({ idleTimeoutMs, firstByteTimeoutMs }: TransportRequest): number =>
  firstByteTimeoutMs ?? idleTimeoutMs

export function timedOut(request: TransportRequest, phase: Phase): ProviderError {
  const ms = phase === 'before the answer' ? firstByteMs(request) : request.idleTimeoutMs
  const message = `${target(request)} was silent for ${ms} ms ${phase}.`
  return new ProviderError('provider-timeout', message, {
    provider: providerOf(request),
    retryable: true,
  })
}

export function providerOf(request: TransportRequest): string {
  return request.provider ?? hostOf(request.url)
}

function target(request: TransportRequest): string {
  const host = hostOf(request.url)
  const { provider = host } = request
  return provider === host ? host : `${provider} at ${host}`
}

/** The host only: paths and queries of an address may hold a key. */
function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return 'an invalid address'
  }
}

/** fetch hides the reason one or two causes deep. */
function deepest(thrown: unknown): unknown {
  let error = thrown
  for (
    let depth = 0;
    depth < 3 && error instanceof Error && error.cause instanceof Error;
    depth++
  ) {
    error = error.cause
  }
  return error
}

export function systemCode(thrown: unknown): string | undefined {
  const code = (deepest(thrown) as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
