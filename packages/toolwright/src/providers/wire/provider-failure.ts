/** What a provider says when it refuses, as one of our errors: by HTTP status, or by its own error object. */
import type { ProviderErrorCode } from '../../errors/catalogue.ts'
import { ProviderError } from '../../errors/errors.ts'
import type { RefusalFacts } from '../../errors/refusal-facts.ts'
import { jsonText } from '../../internal/json-copy.ts'
import { rpcStatus } from './rpc-status.ts'
import type { WireSettings } from './wire-settings.ts'

const BODY_SHOWN = 2048
const MESSAGE_SHOWN = 500
/** Providers wrap their message two or three times. */
const DEEPEST_MESSAGE = 8

export interface Refusal {
  readonly status: number
  /** What was read of the body. */
  readonly body: string
  readonly location?: string | undefined
  readonly facts: RefusalFacts
}

/** The error for an answer outside 2xx. */
export function refusalError(settings: WireSettings, refusal: Refusal): ProviderError {
  const { status, facts } = refusal
  const requestId = redacted(settings, facts.requestId)
  const said = rpcStatus(jsonOf(refusal.body))
  const { retryAfterMs = said.retryAfterMs } = facts
  const words = [
    `${settings.provider} answered ${status}${named(requestId)}${placeOf(settings, refusal)}: ${refusalWords(settings, refusal)}`,
    ...(retryAfterMs === undefined ? [] : [`It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`]),
    ...(KEY_REFUSED.test(String(status)) ? withheldWords(settings) : []),
  ].join(' ')
  return new ProviderError(said.isKeyRefused ? 'provider-auth' : facts.code, words, {
    provider: settings.provider,
    status,
    retryable: facts.retryable,
    body: settings.redact(refusal.body).slice(0, BODY_SHOWN),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** The error for an `error` object inside an answer that had begun well. */
export function reportedError(
  settings: WireSettings,
  error: unknown,
  givenId?: string,
): ProviderError {
  const requestId = redacted(settings, givenId)
  const code = codeOfReported(error)
  const body = settings.redact(jsonText(error) ?? '')
  const said = messageIn(error)
  const message = sentence(said === undefined ? body : settings.redact(said))
  const words = `${settings.provider} reported an error${named(requestId)}: ${message}`
  const { retryAfterMs } = rpcStatus(error)
  return new ProviderError(code, words, {
    provider: settings.provider,
    ...(requestId !== undefined && { requestId }),
    retryable: code === 'provider-rate-limit' || code === 'provider-unavailable',
    body: body.slice(0, BODY_SHOWN),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** Servers that are set up wrongly have sent a header of the request back as its id. */
const redacted = ({ redact }: WireSettings, requestId: string | undefined): string | undefined =>
  requestId === undefined ? undefined : redact(requestId)

/** Nothing is where the question was put, or something else is: then the address matters. */
function placeOf({ baseUrl, redact }: WireSettings, { status }: Refusal): string {
  return status === 404 || status === 405 ? ` at ${redact(baseUrl)}` : ''
}

const KEY_REFUSED = /^40[013]$/

const withheldWords = ({ withheldKey, baseUrl }: WireSettings): readonly string[] =>
  withheldKey === undefined
    ? []
    : [
        `No key was sent: ${withheldKey} goes only to its provider's own hosts. Give apiKey for ${new URL(baseUrl).host}.`,
      ]

const named = (requestId: string | undefined): string =>
  requestId === undefined ? '' : ` to request ${requestId}`

const REPORTED: readonly (readonly [RegExp, ProviderErrorCode])[] = [
  [/rate.?limit|too.?many|quota|^429$/i, 'provider-rate-limit'],
  [
    /overloaded|server|internal|unavailable|timeout|api_error|^5\d\d$|^408$/i,
    'provider-unavailable',
  ],
  [/auth|permission|api.?key|forbidden|^40[13]$/i, 'provider-auth'],
  [/not.?found|^404$/i, 'provider-not-found'],
  [
    /invalid|bad.?request|unsupported|too.?large|content|context|policy|billing|image|mismatch|^4\d\d$/i,
    'provider-rejected',
  ],
]

/** By the words in `type`, `code` and `status`. Without any, the failure is the server's: the request had been accepted. */
function codeOfReported(error: unknown): ProviderErrorCode {
  const { type, code, status } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Record<string, unknown>
  for (const [pattern, ours] of REPORTED) {
    if ([status, code, type].some((word) => isWord(word) && pattern.test(String(word)))) return ours
  }
  return 'provider-unavailable'
}

const isWord = (x: unknown): boolean => typeof x === 'string' || typeof x === 'number'

function refusalWords(settings: WireSettings, refusal: Refusal): string {
  if (refusal.status >= 300 && refusal.status < 400 && refusal.location !== undefined) {
    return `a redirect to ${settings.redact(placeIn(refusal.location))}, which is not followed. Set baseUrl to where the API really is.`
  }
  return sentence(messageOfBody(settings, refusal.body))
}

/** Without user, password and query, which may hold what nobody should see. */
function placeIn(location: string): string {
  const { host, pathname } = URL.canParse(location)
    ? new URL(location)
    : { host: '', pathname: location.replace(/[?#][^]*$/, '') }
  return `${host}${pathname}`.slice(0, 200)
}

function messageOfBody(settings: WireSettings, body: string): string {
  if (body.trim() === '') return 'an empty body'
  const value = jsonOf(body)
  if (value === undefined) return describeText(settings, body)
  return settings.redact(messageIn(value) ?? body)
}

/** Undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where providers put their message: `error.message`, `error`, `message`, `detail`, or the first of a list. */
function messageIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string' && value !== '') return value
  if (typeof value !== 'object' || value === null || depth > DEEPEST_MESSAGE) return undefined
  const { error, message, detail, msg } = value as Record<string, unknown>
  const places = Array.isArray(value) ? value.slice(0, 1) : [error, message, detail, msg]
  for (const place of places) {
    const found = messageIn(place, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** `an HTML page`, or the start of the text itself, redacted. */
export function describeText(settings: Pick<WireSettings, 'redact'>, text: string): string {
  const start = settings.redact(text.trimStart()).slice(0, 200)
  if (/^<(?:!doctype|html|head|body)/i.test(start)) return 'an HTML page'
  if (start.startsWith('<')) return 'an XML or HTML document'
  return start === '' ? 'an empty body' : JSON.stringify(start)
}

function sentence(text: string): string {
  const short = text.length > MESSAGE_SHOWN ? `${text.slice(0, MESSAGE_SHOWN)}…` : text
  return /[.!?…]$/.test(short) ? short : `${short}.`
}
